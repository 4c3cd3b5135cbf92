// Print the digests of files in the format of sha256sum: sha_file [-a sha1|sha256|sha512] FILE...
#include "doca.hpp"

#include <doca_sha.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string_view>
#include <utility>
#include <vector>

struct doca_sha; /* some programs declare it, to avoid DOCA headers in their own headers */

namespace
{

constexpr std::size_t max_segment = 64 * 1024;
constexpr std::size_t max_digest = 64;

class hasher
{
  public:
    explicit hasher(doca_sha_algorithm algorithm)
        : algorithm_(algorithm), dev_(doca::open_device([algorithm](const doca_devinfo *info) {
              return doca_sha_cap_task_hash_get_supported(info, algorithm) == DOCA_SUCCESS &&
                     doca_sha_cap_task_partial_hash_get_supported(info, algorithm) == DOCA_SUCCESS;
          })),
          segment_(segment_size()), bytes_(segment_ + max_digest), memory_(dev_.get(), bytes_),
          inventory_(2), sha_(dev_.get(), engine_)
    {
    }

    std::string digest_of(std::istream &file)
    {
        std::size_t len = fill(file);

        if (len == 0)
            throw std::invalid_argument("is empty");
        if (len < segment_ || file.peek() == std::istream::traits_type::eof())
            return run_whole(len);
        return run_in_segments(file, len);
    }

  private:
    // A SHA context that runs from its construction to its destruction.
    class context
    {
      public:
        context(doca_dev *dev, doca::progress_engine &engine) : engine_(engine)
        {
            doca_data self;
            doca_sha *sha;

            doca::check(doca_sha_create(dev, &sha), "SHA context");
            sha_.reset(sha);
            engine.connect(ctx());
            self.ptr = this;
            doca::check(doca_ctx_set_user_data(ctx(), self), "user data");
            doca::check(doca_sha_task_hash_set_conf(sha, hash_done, hash_done, 0), "hash tasks");
            doca::check(doca_sha_task_partial_hash_set_conf(sha, partial_done, partial_done, 0),
                        "partial hash tasks");
            doca::check(doca_ctx_start(ctx()), "start of the context");
        }
        ~context()
        {
            doca_ctx_states state = DOCA_CTX_STATE_IDLE;

            if (doca_ctx_stop(ctx()) == DOCA_ERROR_IN_PROGRESS)
                engine_.run_until([&] {
                    return doca_ctx_get_state(ctx(), &state) != DOCA_SUCCESS ||
                           state == DOCA_CTX_STATE_IDLE;
                });
        }
        context(const context &) = delete;
        context &operator=(const context &) = delete;

        doca_sha *get() const
        {
            return sha_.get();
        }
        doca_ctx *ctx() const
        {
            return doca_sha_as_ctx(sha_.get());
        }

        // Submit a task and wait until it has ended.
        void run(doca_task *task)
        {
            is_done_ = false;
            doca::check(doca_task_try_submit(task), "submit");
            engine_.run_until([this] { return is_done_; });
        }

      private:
        void done(doca_task *task)
        {
            is_done_ = true;
            engine_.in_callback([task] { doca::check(doca_task_get_status(task), "task"); });
        }
        static void hash_done(doca_sha_task_hash *task, doca_data, doca_data self)
        {
            static_cast<context *>(self.ptr)->done(doca_sha_task_hash_as_task(task));
        }
        static void partial_done(doca_sha_task_partial_hash *task, doca_data, doca_data self)
        {
            static_cast<context *>(self.ptr)->done(doca_sha_task_partial_hash_as_task(task));
        }

        doca::progress_engine &engine_;
        std::unique_ptr<doca_sha, doca::deleter<doca_sha_destroy>> sha_;
        bool is_done_ = false;
    };

    using task_ptr = std::unique_ptr<doca_task, doca::deleter<doca_task_free>>;

    std::size_t segment_size() const
    {
        const doca_devinfo *devinfo = doca_dev_as_devinfo(dev_.get());
        std::uint64_t max_src;
        std::uint32_t block;

        doca::check(doca_sha_cap_get_max_src_buf_size(devinfo, &max_src), "largest source");
        doca::check(doca_sha_cap_get_partial_hash_block_size(devinfo, algorithm_, &block), "block");
        return std::min<std::uint64_t>(max_src, max_segment) / block * block;
    }

    std::size_t fill(std::istream &file)
    {
        file.read(reinterpret_cast<char *>(bytes_.data()), static_cast<std::streamsize>(segment_));
        return static_cast<std::size_t>(file.gcount());
    }

    std::span<std::byte> data(std::size_t len)
    {
        return std::span(bytes_).first(len);
    }
    std::span<std::byte> room()
    {
        return std::span(bytes_).subspan(segment_);
    }

    std::string run_whole(std::size_t len)
    {
        doca::buf_ptr src = inventory_.source(memory_, data(len));
        doca::buf_ptr dst = inventory_.destination(memory_, room());
        doca_sha_task_hash *hash;

        doca::check(
            doca_sha_task_hash_alloc_init(sha_.get(), algorithm_, src.get(), dst.get(), {}, &hash),
            "hash task");
        task_ptr task(doca_sha_task_hash_as_task(hash));
        sha_.run(task.get());
        return text_of(dst.get());
    }

    std::string run_in_segments(std::istream &file, std::size_t len)
    {
        doca::buf_ptr src = inventory_.source(memory_, data(len));
        doca::buf_ptr dst = inventory_.destination(memory_, room());
        doca_sha_task_partial_hash *hash;

        doca::check(doca_sha_task_partial_hash_alloc_init(sha_.get(), algorithm_, src.get(),
                                                          dst.get(), {}, &hash),
                    "partial hash task");
        task_ptr task(doca_sha_task_partial_hash_as_task(hash));
        sha_.run(task.get());
        while (!doca_sha_task_partial_hash_get_has_result(hash)) {
            len = fill(file);
            doca::check(doca_buf_set_data(src.get(), bytes_.data(), len), "segment");
            doca::check(doca_sha_task_partial_hash_set_src(hash, src.get()), "source");
            if (file.peek() == std::istream::traits_type::eof())
                doca::check(doca_sha_task_partial_hash_set_is_final_buf(hash), "final segment");
            sha_.run(task.get());
        }
        return text_of(dst.get());
    }

    static std::string text_of(doca_buf *digest)
    {
        std::string text;
        void *data;
        size_t len;

        doca::check(doca_buf_get_data(digest, &data), "digest");
        doca::check(doca_buf_get_data_len(digest, &len), "length of the digest");
        for (std::byte b : std::span(static_cast<std::byte *>(data), len)) {
            std::array<char, 3> hex;

            std::snprintf(hex.data(), hex.size(), "%02x", std::to_integer<unsigned>(b));
            text += hex.data();
        }
        return text;
    }

    doca_sha_algorithm algorithm_;
    doca::dev_ptr dev_;
    std::size_t segment_;
    std::vector<std::byte> bytes_; // room for a segment, and behind it for the digest
    doca::memory memory_;
    doca::inventory inventory_;
    doca::progress_engine engine_;
    context sha_;
};

doca_sha_algorithm algorithm_named(std::string_view name)
{
    for (auto [known, algorithm] : { std::pair{ "sha1", DOCA_SHA_ALGORITHM_SHA1 },
                                     std::pair{ "sha256", DOCA_SHA_ALGORITHM_SHA256 },
                                     std::pair{ "sha512", DOCA_SHA_ALGORITHM_SHA512 } })
        if (name == known)
            return algorithm;
    throw std::invalid_argument("unknown algorithm " + std::string(name));
}

} // namespace

int main(int argc, char **argv)
try {
    std::span args(argv + 1, static_cast<std::size_t>(argc - 1));
    doca_sha_algorithm algorithm = DOCA_SHA_ALGORITHM_SHA256;
    int status = EXIT_SUCCESS;

    if (args.size() >= 2 && std::string_view(args[0]) == "-a") {
        algorithm = algorithm_named(args[1]);
        args = args.subspan(2);
    }
    if (args.empty())
        throw std::invalid_argument("usage: sha_file [-a sha1|sha256|sha512] FILE...");

    hasher hash(algorithm);
    for (const char *path : args) {
        try {
            std::ifstream file(path, std::ios::binary);

            if (!file)
                throw std::runtime_error("cannot be read");
            std::cout << hash.digest_of(file) << "  " << path << '\n';
        } catch (const std::exception &e) {
            std::cerr << path << ": " << e.what() << '\n';
            status = EXIT_FAILURE;
        }
    }
    return status;
} catch (const doca::error &e) {
    std::cerr << "DOCA: " << e.what() << '\n';
    return EXIT_FAILURE;
} catch (const std::exception &e) {
    std::cerr << e.what() << '\n';
    return EXIT_FAILURE;
}
