/// The device: found, opened, and listened to.
#include "gpu.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COOKIE 0x67707531u
#define VALIDATION "VK_LAYER_KHRONOS_validation"

throng_gpu_def throng_default_gpu_def(void)
{
    return (throng_gpu_def){.cookie = COOKIE};
}

throng_result thg_gpu_fail(throng_error *error, const char *format, ...)
{
    if (error != NULL) {
        memset(error, 0, sizeof *error);
        error->result = THRONG_UNREACHABLE;
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
    }
    return THRONG_UNREACHABLE;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                           VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data,
                                           void *context)
{
    throng_gpu *gpu = context;
    (void)severity;
    // Loader and drivers talk about themselves under `general`; only the layer's word counts.
    if ((types & (VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                  VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)) != 0) {
        if (gpu->message_count++ == 0) {
            snprintf(gpu->first_message, sizeof gpu->first_message, "%s", data->pMessage);
        }
    }
    return VK_FALSE;
}

static bool has_validation(void)
{
    uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, NULL);
    VkLayerProperties *layers = calloc(count > 0 ? count : 1, sizeof *layers);
    bool found = false;
    if (layers != NULL && vkEnumerateInstanceLayerProperties(&count, layers) == VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++) {
            found = found || strcmp(layers[i].layerName, VALIDATION) == 0;
        }
    }
    free(layers);
    return found;
}

static bool has_instance_extension(const char *name)
{
    uint32_t count = 0;
    vkEnumerateInstanceExtensionProperties(NULL, &count, NULL);
    VkExtensionProperties *all = calloc(count > 0 ? count : 1, sizeof *all);
    bool found = false;
    if (all != NULL && vkEnumerateInstanceExtensionProperties(NULL, &count, all) == VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++) {
            found = found || strcmp(all[i].extensionName, name) == 0;
        }
    }
    free(all);
    return found;
}

static bool make_instance(throng_gpu *gpu, bool validate)
{
    // A window's surface needs these; a machine without windows has none of them.
    static const char *const wanted[] = {"VK_KHR_surface", "VK_KHR_xlib_surface",
                                         "VK_KHR_xcb_surface", "VK_KHR_wayland_surface"};
    const char *extensions[8];
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        if (has_instance_extension(wanted[i])) {
            extensions[count++] = wanted[i];
        }
    }
    const char *layer = VALIDATION;
    VkDebugUtilsMessengerCreateInfoEXT listen = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = hear,
        .pUserData = gpu};
    VkValidationFeatureEnableEXT more = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                        .pNext = &listen,
                                        .enabledValidationFeatureCount = 1,
                                        .pEnabledValidationFeatures = &more};
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .pApplicationName = "throng",
                                     .apiVersion = VK_API_VERSION_1_2};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &application};
    if (validate) {
        extensions[count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
        info.pNext = &features;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &layer;
    }
    info.enabledExtensionCount = count;
    info.ppEnabledExtensionNames = extensions;
    if (vkCreateInstance(&info, NULL, &gpu->instance) != VK_SUCCESS) {
        return false;
    }
    // The functions are kept for the whole process, the devices may be several: so these are the
    // loader's own, which find the device by its handle, and not those of one device.
    volkLoadInstance(gpu->instance);
    return !validate || vkCreateDebugUtilsMessengerEXT(gpu->instance, &listen, NULL,
                                                       &gpu->messenger) == VK_SUCCESS;
}

static bool has_device_extension(VkPhysicalDevice device, const char *name)
{
    uint32_t count = 0;
    vkEnumerateDeviceExtensionProperties(device, NULL, &count, NULL);
    VkExtensionProperties *all = calloc(count > 0 ? count : 1, sizeof *all);
    bool found = false;
    if (all != NULL &&
        vkEnumerateDeviceExtensionProperties(device, NULL, &count, all) == VK_SUCCESS) {
        for (uint32_t i = 0; i < count; i++) {
            found = found || strcmp(all[i].extensionName, name) == 0;
        }
    }
    free(all);
    return found;
}

/// A queue family that draws, computes and keeps time; -1: none.
static int family_of(VkPhysicalDevice device)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(device, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        VkQueueFlags both = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
        if ((families[i].queueFlags & both) == both && families[i].timestampValidBits > 0) {
            return (int)i;
        }
    }
    return -1;
}

/// 0: cannot draw; else the more the better.
static int worth(VkPhysicalDevice device)
{
    VkPhysicalDeviceProperties about;
    vkGetPhysicalDeviceProperties(device, &about);
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &v12};
    if (about.apiVersion < VK_API_VERSION_1_2 || family_of(device) < 0 ||
        !has_device_extension(device, VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME)) {
        return 0;
    }
    vkGetPhysicalDeviceFeatures2(device, &features);
    if (!v12.drawIndirectCount || !features.features.drawIndirectFirstInstance ||
        !features.features.multiDrawIndirect) {
        return 0;
    }
    switch (about.deviceType) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return 4;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return 3;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return 1;
    default:
        return 2;
    }
}

static bool choose_device(throng_gpu *gpu)
{
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    VkResult result = vkEnumeratePhysicalDevices(gpu->instance, &count, devices);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
        return false;
    }
    int best = 0;
    for (uint32_t i = 0; i < count; i++) {
        int found = worth(devices[i]);
        if (found > best) {
            best = found;
            gpu->physical = devices[i];
        }
    }
    return best > 0;
}

static bool open_device(throng_gpu *gpu)
{
    VkPhysicalDeviceProperties about;
    vkGetPhysicalDeviceProperties(gpu->physical, &about);
    vkGetPhysicalDeviceMemoryProperties(gpu->physical, &gpu->memory);
    gpu->timestamp_period = about.limits.timestampPeriod;
    gpu->software = about.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    snprintf(gpu->name, sizeof gpu->name, "%s", about.deviceName);
    gpu->family = (uint32_t)family_of(gpu->physical);
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueFamilyIndex = gpu->family,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    const char *extensions[2] = {VK_KHR_DYNAMIC_RENDERING_EXTENSION_NAME,
                                 VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    VkPhysicalDeviceDynamicRenderingFeaturesKHR dynamic = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES_KHR,
        .dynamicRendering = VK_TRUE};
    VkPhysicalDeviceVulkan12Features v12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &dynamic,
        .drawIndirectCount = VK_TRUE};
    VkPhysicalDeviceFeatures features = {.multiDrawIndirect = VK_TRUE,
                                         .drawIndirectFirstInstance = VK_TRUE};
    bool window = has_device_extension(gpu->physical, VK_KHR_SWAPCHAIN_EXTENSION_NAME) &&
                  has_instance_extension("VK_KHR_surface");
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &v12,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = window ? 2 : 1,
                               .ppEnabledExtensionNames = extensions,
                               .pEnabledFeatures = &features};
    if (vkCreateDevice(gpu->physical, &info, NULL, &gpu->device) != VK_SUCCESS) {
        return false;
    }
    vkGetDeviceQueue(gpu->device, gpu->family, 0, &gpu->queue);
    return true;
}

throng_result throng_gpu_create(const throng_gpu_def *def, throng_gpu **out, throng_error *error)
{
    *out = NULL;
    if (def->cookie != COOKIE) {
        return THRONG_BAD_ARGUMENT;
    }
    if (volkInitialize() != VK_SUCCESS) {
        return thg_gpu_fail(error, "there is no Vulkan here: install libvulkan1 and a driver, for "
                                   "instance mesa-vulkan-drivers");
    }
    if (def->validate && !has_validation()) {
        return thg_gpu_fail(error, "there is no validation layer: install "
                                   "vulkan-validationlayers");
    }
    throng_gpu *gpu = calloc(1, sizeof *gpu);
    if (gpu == NULL) {
        return THRONG_NO_MEMORY;
    }
    gpu->lose_after = def->lose_after;
    throng_result result = THRONG_OK;
    if (!make_instance(gpu, def->validate)) {
        result = thg_gpu_fail(error, "Vulkan does not start: no driver is installed, for instance "
                                     "mesa-vulkan-drivers");
    } else if (!choose_device(gpu)) {
        result = thg_gpu_fail(error, "no Vulkan 1.2 device here can draw: install a driver, for "
                                     "instance mesa-vulkan-drivers");
    } else if (!open_device(gpu)) {
        result = thg_gpu_fail(error, "%s: the Vulkan device does not open", gpu->name);
    }
    if (result != THRONG_OK) {
        throng_gpu_destroy(gpu);
        return result;
    }
    *out = gpu;
    return THRONG_OK;
}

void throng_gpu_destroy(throng_gpu *gpu)
{
    if (gpu == NULL) {
        return;
    }
    if (gpu->device != NULL) {
        vkDestroyDevice(gpu->device, NULL);
    }
    if (gpu->messenger != VK_NULL_HANDLE) {
        // Another device may have come since whose instance knows no messengers.
        PFN_vkDestroyDebugUtilsMessengerEXT destroy =
            (PFN_vkDestroyDebugUtilsMessengerEXT)(vkGetInstanceProcAddr(
                gpu->instance, "vkDestroyDebugUtilsMessengerEXT"));
        if (destroy != NULL) {
            destroy(gpu->instance, gpu->messenger, NULL);
        }
    }
    if (gpu->instance != NULL) {
        vkDestroyInstance(gpu->instance, NULL);
    }
    free(gpu);
}

bool thg_gpu_heard(throng_gpu *gpu, VkResult result)
{
    gpu->lost = gpu->lost || result == VK_ERROR_DEVICE_LOST;
    return !gpu->lost && result == VK_SUCCESS;
}

bool thg_gpu_submit(throng_gpu *gpu, const VkSubmitInfo *info, VkFence fence)
{
    if (gpu->lost) {
        return false;
    }
    VkResult result = vkQueueSubmit(gpu->queue, 1, info, fence);
    gpu->submit_count++;
    if (gpu->lose_after > 0 && gpu->submit_count >= gpu->lose_after) {
        vkQueueWaitIdle(gpu->queue); // what a lost device was at has come to an end
        result = VK_ERROR_DEVICE_LOST;
    }
    return thg_gpu_heard(gpu, result);
}

bool thg_gpu_wait(throng_gpu *gpu, VkFence fence)
{
    return thg_gpu_heard(gpu, vkWaitForFences(gpu->device, 1, &fence, VK_TRUE, UINT64_MAX)) &&
           thg_gpu_heard(gpu, vkResetFences(gpu->device, 1, &fence));
}

bool throng_gpu_is_lost(const throng_gpu *gpu)
{
    return gpu->lost;
}

const char *throng_gpu_name(const throng_gpu *gpu)
{
    return gpu->name;
}

bool throng_gpu_is_software(const throng_gpu *gpu)
{
    return gpu->software;
}

int throng_gpu_message_count(const throng_gpu *gpu)
{
    return gpu->message_count;
}

const char *throng_gpu_first_message(const throng_gpu *gpu)
{
    return gpu->first_message;
}
