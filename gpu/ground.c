/// The ground on the device: one picture of the cells with all its halves, and the sides of walls.
#include "drawing.h"
#include <stdlib.h>
#include <string.h>

static int half(int size)
{
    return size > 1 ? size / 2 : 1;
}

static int level_count(int width, int height)
{
    int levels = 1;
    for (; width > 1 || height > 1; levels++) {
        width = half(width);
        height = half(height);
    }
    return levels;
}

/// The mean of what each pixel covers, so that far ground does not flicker.
static void halve(const uint8_t *from, int width, int height, uint8_t *to)
{
    int to_width = half(width), to_height = half(height);
    for (int y = 0; y < to_height; y++) {
        int y0 = y * height / to_height, y1 = (y + 1) * height / to_height;
        for (int x = 0; x < to_width; x++, to += 4) {
            int x0 = x * width / to_width, x1 = (x + 1) * width / to_width;
            int sum[4] = {0, 0, 0, 0}, count = 0;
            for (int i = y0; i < y1; i++) {
                for (int j = x0; j < x1; j++, count++) {
                    const uint8_t *pixel = from + 4 * ((size_t)i * (size_t)width + (size_t)j);
                    for (int c = 0; c < 4; c++) {
                        sum[c] += pixel[c];
                    }
                }
            }
            for (int c = 0; c < 4; c++) {
                to[c] = (uint8_t)((sum[c] + count / 2) / count);
            }
        }
    }
}

static void fill_levels(const throng_drawing *drawing, const uint32_t *colours, uint8_t *pixels)
{
    int width = drawing->ground.width, height = drawing->ground.height;
    size_t cells = (size_t)width * (size_t)height;
    for (size_t i = 0; i < cells; i++) {
        uint32_t pixel = (colours[i] & 0xffffffu) | (drawing->walls[i] != 0 ? 0xff000000u : 0);
        memcpy(pixels + 4 * i, &pixel, 4);
    }
    for (int level = 1; level < drawing->ground.levels; level++) {
        uint8_t *next = pixels + 4 * (size_t)width * (size_t)height;
        halve(pixels, width, height, next);
        pixels = next;
        width = half(width);
        height = half(height);
    }
}

static void copy_levels(throng_drawing *drawing, VkBuffer from)
{
    VkBufferImageCopy copies[32];
    VkDeviceSize offset = 0;
    int width = drawing->ground.width, height = drawing->ground.height;
    for (int level = 0; level < drawing->ground.levels; level++) {
        copies[level] = (VkBufferImageCopy){
            .bufferOffset = offset,
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, (uint32_t)level, 0, 1},
            .imageExtent = {(uint32_t)width, (uint32_t)height, 1}};
        offset += 4 * (VkDeviceSize)width * (VkDeviceSize)height;
        width = half(width);
        height = half(height);
    }
    vkCmdCopyBufferToImage(drawing->commands, from, drawing->ground.image,
                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, (uint32_t)drawing->ground.levels,
                           copies);
}

throng_result throng_drawing_set_colours(throng_drawing *drawing, const uint32_t *colours)
{
    thg_graph graph;
    thg_graph_clear(&graph);
    int image = thg_graph_add_image(&graph, "ground", &drawing->ground);
    const thg_access write = {image, THG_COPY_TO}, read = {image, THG_SAMPLE};
    // All levels together are less than twice the first and a few pixels.
    VkDeviceSize cells = (VkDeviceSize)drawing->ground.width * (VkDeviceSize)drawing->ground.height;
    thg_buffer staging;
    if (!thg_buffer_create(drawing->gpu, 8 * cells + 256, VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                           THG_FROM_CPU, &staging)) {
        return THRONG_NO_MEMORY;
    }
    fill_levels(drawing, colours, staging.mapped);
    bool fine = thg_commands_begin(drawing);
    if (fine) {
        thg_graph_pass(&graph, drawing->commands, &write, 1);
        copy_levels(drawing, staging.buffer);
        thg_graph_pass(&graph, drawing->commands, &read, 1);
        fine = thg_commands_run(drawing);
    }
    thg_buffer_destroy(drawing->gpu, &staging);
    return fine ? THRONG_OK : THRONG_UNREACHABLE;
}

static bool set_sides(throng_drawing *drawing, const throng_ground *ground)
{
    int count = thg_wall_sides(ground, NULL, 0);
    thg_buffer sides;
    if (!thg_buffer_create(drawing->gpu, (VkDeviceSize)(count > 0 ? count : 1) * 16,
                           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, THG_FROM_CPU, &sides)) {
        return false;
    }
    thg_wall_sides(ground, sides.mapped, count);
    thg_buffer_destroy(drawing->gpu, &drawing->sides);
    drawing->sides = sides;
    drawing->side_count = count;
    return true;
}

throng_result throng_drawing_set_ground(throng_drawing *drawing, const throng_ground *ground)
{
    if (ground->width < 1 || ground->height < 1 || ground->width > 16384 ||
        ground->height > 16384 || !(ground->cell_size > 0.0f) || !(ground->wall_height >= 0.0f) ||
        ground->wall_height > 100.0f) {
        return THRONG_BAD_ARGUMENT;
    }
    size_t cells = (size_t)ground->width * (size_t)ground->height;
    uint8_t *walls = malloc(cells);
    thg_picture image = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                         .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                         .width = ground->width,
                         .height = ground->height,
                         .levels = level_count(ground->width, ground->height)};
    if (walls == NULL ||
        !thg_picture_create(drawing->gpu,
                            VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, &image)) {
        free(walls);
        return THRONG_NO_MEMORY;
    }
    if (!set_sides(drawing, ground)) {
        thg_picture_destroy(drawing->gpu, &image);
        free(walls);
        return THRONG_NO_MEMORY;
    }
    memcpy(walls, ground->walls, cells);
    free(drawing->walls);
    drawing->walls = walls;
    thg_picture_destroy(drawing->gpu, &drawing->ground);
    drawing->ground = image;
    drawing->ground_def = *ground;
    drawing->ground_def.colours = NULL;
    drawing->ground_def.walls = NULL;
    thg_descriptors_write(drawing);
    return throng_drawing_set_colours(drawing, ground->colours);
}
