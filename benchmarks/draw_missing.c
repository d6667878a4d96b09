/// In place of draw_bench.c where this program is built without Vulkan.
#include "bench.h"
#include <stdio.h>

void bench_draw(int threads, bench_report *report, void *context)
{
    (void)threads, (void)report, (void)context;
    fputs("throng: bench: draw: this build has no viewer; install libvulkan-dev, "
          "libvulkan-volk-dev, glslc and mesa-vulkan-drivers, and build again\n",
          stderr);
}
