/* AES, XTS and AES key wrap with the vectors of FIPS 197, IEEE 1619 and RFC 3394. */
#include "device/hca/aes.h"

#include <stdio.h>
#include <string.h>

static unsigned failed;

static size_t unhex(const char *text, uint8_t *bytes)
{
    size_t num = 0;
    unsigned value;

    for (; sscanf(text, "%2x", &value) == 1 && text[0] && text[1]; text += 2)
        bytes[num++] = (uint8_t)value;
    return num;
}

static void expect(const char *name, const uint8_t *got, const char *want)
{
    uint8_t bytes[128];
    size_t len = unhex(want, bytes);

    if (memcmp(got, bytes, len) == 0)
        return;
    printf("%s: ", name);
    for (size_t i = 0; i < len; i++)
        printf("%02x", got[i]);
    printf(", want %s\n", want);
    failed++;
}

static void block(const char *key, const char *cipher)
{
    static const char plain[] = "00112233445566778899aabbccddeeff";
    uint8_t bytes[32], text[16];
    struct aes aes;

    aes_set_key(&aes, bytes, unhex(key, bytes));
    unhex(plain, text);
    aes_encrypt(&aes, text);
    expect("encrypt", text, cipher);
    aes_decrypt(&aes, text);
    expect("decrypt", text, plain);
}

static void xts(const char *key1, const char *key2, const char *tweak, const char *plain,
                const char *cipher)
{
    uint8_t bytes[32], number[16] = { 0 }, text[128];
    struct aes data, tweak_key;
    size_t len;

    aes_set_key(&data, bytes, unhex(key1, bytes));
    aes_set_key(&tweak_key, bytes, unhex(key2, bytes));
    unhex(tweak, number);
    len = unhex(plain, text);
    aes_xts(&data, &tweak_key, number, text, len, true);
    expect("XTS encrypts", text, cipher);
    aes_xts(&data, &tweak_key, number, text, len, false);
    expect("XTS decrypts", text, plain);
}

static void wrap(void)
{
    uint8_t bytes[32], in[96], out[96];
    struct aes kek;

    aes_set_key(&kek, bytes, unhex("000102030405060708090a0b0c0d0e0f", bytes));
    unhex("1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5", in);
    failed += !aes_unwrap(&kek, in, 24, out);
    expect("unwrap", out, "00112233445566778899aabbccddeeff");
    in[23] ^= 1;
    failed += aes_unwrap(&kek, in, 24, out);    /* changed */
    failed += aes_unwrap(&kek, in, 16, out);    /* too short */
    failed += aes_unwrap(&kek, in, 25, out);    /* not a multiple of 8 */
    failed += aes_unwrap(&kek, in, 96, out);    /* too long */
}

int main(void)
{
    block("000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a");
    block("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
          "8ea2b7ca516745bfeafc49904b496089");
    xts("11111111111111111111111111111111", "22222222222222222222222222222222", "3333333333",
        "4444444444444444444444444444444444444444444444444444444444444444",
        "c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0");
    xts("fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0", "bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0", "9a78563412",
        "000102030405060708090a0b0c0d0e0f10", "6c1625db4671522d3d7599601de7ca09ed");
    wrap();
    printf("%u failed\n", failed);
    return failed != 0;
}
