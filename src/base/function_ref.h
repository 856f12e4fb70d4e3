// A non-owning reference to a callable; the standard one comes with C++26.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace basalt {

template <typename Signature>
class function_ref;

/// Refers to a callable that outlives it. Two words, trivially copyable, no allocation.
template <typename R, typename... Args>
class function_ref<R(Args...)> {
public:
    template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, function_ref> && std::is_invocable_r_v<R, F &, Args...>)
        function_ref(F &&callable)
    noexcept // NOLINT(google-explicit-constructor): passing a lambda is the point
        : object_(const_cast<void *>(static_cast<const void *>(std::addressof(callable)))),
          call_([](void *object, Args... args) -> R {
              return (*static_cast<std::add_pointer_t<std::remove_reference_t<F>>>(object))(
                  std::forward<Args>(args)...);
          })
    {}

    R operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

private:
    void *object_;
    R (*call_)(void *, Args...);
};

} // namespace basalt
