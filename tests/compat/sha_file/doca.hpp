// Objects of DOCA for C++. Each object is destroyed with its owner, and each error is thrown.
#pragma once

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_mmap.h>
#include <doca_pe.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace doca
{

class error : public std::runtime_error
{
  public:
    error(doca_error_t code, const std::string &what)
        : std::runtime_error(what + ": " + doca_error_get_name(code)), code_(code)
    {
    }
    doca_error_t code() const noexcept
    {
        return code_;
    }

  private:
    doca_error_t code_;
};

inline void check(doca_error_t result, const char *what)
{
    if (result != DOCA_SUCCESS)
        throw error(result, what);
}

template <auto destroy> struct deleter {
    template <typename T> void operator()(T *object) const noexcept
    {
        static_cast<void>(destroy(object));
    }
};

inline doca_error_t release(doca_buf *buf)
{
    return doca_buf_dec_refcount(buf, nullptr);
}

using dev_ptr = std::unique_ptr<doca_dev, deleter<doca_dev_close>>;
using mmap_ptr = std::unique_ptr<doca_mmap, deleter<doca_mmap_destroy>>;
using inventory_ptr = std::unique_ptr<doca_buf_inventory, deleter<doca_buf_inventory_destroy>>;
using pe_ptr = std::unique_ptr<doca_pe, deleter<doca_pe_destroy>>;
using buf_ptr = std::unique_ptr<doca_buf, deleter<release>>;

// A list of devices, which can be used as a range and is destroyed at the end of its scope.
class device_list
{
  public:
    device_list()
    {
        check(doca_devinfo_create_list(&list_, &num_), "list of devices");
    }
    ~device_list()
    {
        doca_devinfo_destroy_list(list_);
    }
    device_list(const device_list &) = delete;
    device_list &operator=(const device_list &) = delete;

    auto begin() const
    {
        return std::span(list_, num_).begin();
    }
    auto end() const
    {
        return std::span(list_, num_).end();
    }

  private:
    doca_devinfo **list_ = nullptr;
    uint32_t num_ = 0;
};

inline dev_ptr open_device(const std::function<bool(const doca_devinfo *)> &is_wanted)
{
    for (doca_devinfo *devinfo : device_list()) {
        doca_dev *dev;

        if (is_wanted(devinfo) && doca_dev_open(devinfo, &dev) == DOCA_SUCCESS)
            return dev_ptr(dev);
    }
    throw error(DOCA_ERROR_NOT_FOUND, "no such device");
}

// Memory that a device can access during the lifetime of this object.
class memory
{
  public:
    memory(doca_dev *dev, std::span<std::byte> range)
    {
        doca_mmap *mmap;

        check(doca_mmap_create(&mmap), "memory map");
        mmap_.reset(mmap);
        check(doca_mmap_add_dev(mmap, dev), "device of the memory map");
        check(doca_mmap_set_memrange(mmap, range.data(), range.size()), "range");
        check(doca_mmap_start(mmap), "start of the memory map");
    }
    doca_mmap *get() const
    {
        return mmap_.get();
    }

  private:
    mmap_ptr mmap_;
};

class inventory
{
  public:
    explicit inventory(std::size_t size)
    {
        doca_buf_inventory *inv;

        check(doca_buf_inventory_create(size, &inv), "inventory");
        inventory_.reset(inv);
        check(doca_buf_inventory_start(inv), "start of the inventory");
    }
    buf_ptr source(const memory &mem, std::span<std::byte> data) const
    {
        doca_buf *buf;

        check(doca_buf_inventory_buf_get_by_data(inventory_.get(), mem.get(), data.data(),
                                                 data.size(), &buf),
              "source buffer");
        return buf_ptr(buf);
    }
    buf_ptr destination(const memory &mem, std::span<std::byte> room) const
    {
        doca_buf *buf;

        check(doca_buf_inventory_buf_get_by_addr(inventory_.get(), mem.get(), room.data(),
                                                 room.size(), &buf),
              "destination buffer");
        return buf_ptr(buf);
    }

  private:
    inventory_ptr inventory_;
};

// Keeps an exception that a callback throws, and throws it again outside of doca_pe_progress(),
// because an exception must not pass through functions of C.
class progress_engine
{
  public:
    progress_engine()
    {
        doca_pe *pe;

        check(doca_pe_create(&pe), "progress engine");
        pe_.reset(pe);
    }
    void connect(doca_ctx *ctx)
    {
        check(doca_pe_connect_ctx(pe_.get(), ctx), "connection");
    }

    template <typename F> void in_callback(F &&function) noexcept
    {
        try {
            function();
        } catch (...) {
            if (!thrown_)
                thrown_ = std::current_exception();
        }
    }

    template <typename F> void run_until(F &&is_done)
    {
        while (!is_done()) {
            static_cast<void>(doca_pe_progress(pe_.get()));
            if (thrown_)
                std::rethrow_exception(std::exchange(thrown_, nullptr));
        }
    }

  private:
    pe_ptr pe_;
    std::exception_ptr thrown_;
};

} // namespace doca
