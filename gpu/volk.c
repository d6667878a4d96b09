/// Vulkan's entry points, found at run time: a program that links this starts without Vulkan too.
#define VOLK_IMPLEMENTATION
#include <volk.h>
