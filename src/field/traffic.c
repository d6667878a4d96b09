/// Crowd density and mean flow as prices: Treuille, Cooper and Popovic, Continuum Crowds (2006),
/// with the speed that is measured in place of the one that is assumed.
///
/// Where there is room, everyone has the free speed. Where discs take more of the ground than
/// FREE, the speed of those who are there counts more and more, along the field's direction: who
/// comes the other way counts against it, who stands and would make way for a part.
#include "field/traffic.h"
#include "field/solver.h"
#include <math.h>
#include <string.h>

#define FREE 0.15f           ///< share of ground taken up to which everyone walks freely
#define FULL 0.6f            ///< from which nobody is faster than those who are there
#define LEAST 0.05f          ///< share of the free speed that is always reckoned with
#define YIELDING 0.4f        ///< share of the free speed past those who make way
#define MEMORY 8             ///< counts that a block remembers, about
#define AREA_LIMIT (1 << 26) ///< units: far above what a block can hold without a pile
#define REACH 2              ///< blocks that a block's surroundings reach
#define FACTOR_UNIT 256

struct thg_traffic {
    const throng_map *map;
    int side;          ///< of a block, cells
    int width, height; ///< blocks
    size_t block_count;
    thg_traffic_block *now, *kept;
    uint16_t
        *ground[THRONG_MAX_CLASSES]; ///< per block, cells where the class may be; NULL: not yet
    uint32_t ground_version[THRONG_MAX_CLASSES]; ///< of the map
    uint16_t *factor; ///< per block, price over the free price, in units of 1 / FACTOR_UNIT
    uint8_t *listed;  ///< bit 0: in `busy`; bit 1: in `warm`
    uint32_t *busy;   ///< blocks with anything in `now` or `kept`
    uint32_t *warm;   ///< blocks whose factor is not 1, or may be, and their neighbours
    int busy_count, warm_count;
    bool forget; ///< ways, see thg_traffic_forget_ways
};
enum { BUSY = 1, WARM = 2 };

throng_result thg_traffic_create(const throng_map *map, thg_traffic **result)
{
    thg_traffic *traffic = thg_allocate(1, sizeof *traffic);
    if (traffic == NULL) {
        return THRONG_NO_MEMORY;
    }
    traffic->map = map;
    traffic->side = map->cell_size < 1.0f ? (int)(map->inverse_cell_size + 0.5f) : 1;
    do {
        traffic->width = (map->width + traffic->side - 1) / traffic->side;
        traffic->height = (map->height + traffic->side - 1) / traffic->side;
        traffic->block_count = (size_t)traffic->width * (size_t)traffic->height;
    } while (traffic->block_count > THG_TRAFFIC_BLOCKS && (traffic->side *= 2) > 0);
    traffic->now = thg_allocate(traffic->block_count, sizeof *traffic->now);
    traffic->kept = thg_allocate(traffic->block_count, sizeof *traffic->kept);
    traffic->factor = thg_allocate(traffic->block_count, sizeof *traffic->factor);
    traffic->listed = thg_allocate(traffic->block_count, 1);
    traffic->busy = thg_allocate(traffic->block_count, sizeof *traffic->busy);
    traffic->warm = thg_allocate(traffic->block_count, sizeof *traffic->warm);
    bool surveyed = true;
    for (int i = 0; i < map->layer_count; i++) {
        traffic->ground[i] = thg_allocate(traffic->block_count, sizeof *traffic->ground[i]);
        surveyed = surveyed && traffic->ground[i] != NULL;
    }
    if (!surveyed || traffic->now == NULL || traffic->kept == NULL || traffic->factor == NULL ||
        traffic->listed == NULL || traffic->busy == NULL || traffic->warm == NULL) {
        thg_traffic_destroy(traffic);
        return THRONG_NO_MEMORY;
    }
    for (size_t i = 0; i < traffic->block_count; i++) {
        traffic->factor[i] = FACTOR_UNIT;
    }
    *result = traffic;
    return THRONG_OK;
}

void thg_traffic_destroy(thg_traffic *traffic)
{
    if (traffic == NULL) {
        return;
    }
    thg_release(traffic->now, traffic->block_count, sizeof *traffic->now);
    thg_release(traffic->kept, traffic->block_count, sizeof *traffic->kept);
    thg_release(traffic->factor, traffic->block_count, sizeof *traffic->factor);
    thg_release(traffic->listed, traffic->block_count, 1);
    thg_release(traffic->busy, traffic->block_count, sizeof *traffic->busy);
    thg_release(traffic->warm, traffic->block_count, sizeof *traffic->warm);
    for (int i = 0; i < THRONG_MAX_CLASSES; i++) {
        thg_release(traffic->ground[i], traffic->block_count, sizeof *traffic->ground[i]);
    }
    thg_release(traffic, 1, sizeof *traffic);
}

static void list_busy(thg_traffic *traffic, uint32_t block)
{
    if ((traffic->listed[block] & BUSY) == 0) {
        traffic->listed[block] |= BUSY;
        traffic->busy[traffic->busy_count++] = block;
    }
}

void thg_traffic_begin(thg_traffic *traffic)
{
    for (int i = 0; i < traffic->busy_count; i++) {
        traffic->now[traffic->busy[i]] = (thg_traffic_block){0};
    }
}

void thg_traffic_add(thg_traffic *traffic, throng_vec2 position, const thg_traffic_block *disc)
{
    int x, y;
    throng_map_cell_at(traffic->map, position, &x, &y);
    uint32_t block =
        (uint32_t)(y / traffic->side) * (uint32_t)traffic->width + (uint32_t)(x / traffic->side);
    thg_traffic_block *now = &traffic->now[block];
    list_busy(traffic, block);
    // Sums wrap at worst in a pile of millions, the same way in any order; the end clamps them.
    now->area = (int32_t)((uint32_t)now->area + (uint32_t)disc->area);
    now->pace = (int32_t)((uint32_t)now->pace + (uint32_t)disc->pace);
    now->along_x = (int32_t)((uint32_t)now->along_x + (uint32_t)disc->along_x);
    now->along_y = (int32_t)((uint32_t)now->along_y + (uint32_t)disc->along_y);
    now->yielding = (int32_t)((uint32_t)now->yielding + (uint32_t)disc->yielding);
}

static int32_t limited(int32_t sum)
{
    return sum < -AREA_LIMIT ? -AREA_LIMIT : sum > AREA_LIMIT ? AREA_LIMIT : sum;
}

/// Goes a part of the way to what is counted now, and all of it at the end.
static int32_t blended(int32_t kept, int32_t now)
{
    int32_t change = (limited(now) - kept) / MEMORY;
    return change != 0 ? kept + change : limited(now);
}

static bool is_empty(const thg_traffic_block *block)
{
    return block->area == 0 && block->pace == 0 && block->along_x == 0 && block->along_y == 0 &&
           block->yielding == 0;
}

void thg_traffic_end(thg_traffic *traffic)
{
    int count = 0;
    for (int i = 0; i < traffic->busy_count; i++) {
        uint32_t block = traffic->busy[i];
        const thg_traffic_block *now = &traffic->now[block];
        thg_traffic_block *kept = &traffic->kept[block];
        kept->area = blended(kept->area, now->area);
        kept->pace = blended(kept->pace, now->pace);
        kept->along_x =
            traffic->forget ? limited(now->along_x) : blended(kept->along_x, now->along_x);
        kept->along_y =
            traffic->forget ? limited(now->along_y) : blended(kept->along_y, now->along_y);
        kept->yielding = blended(kept->yielding, now->yielding);
        if (is_empty(kept)) {
            traffic->listed[block] &= (uint8_t)~BUSY;
        } else {
            traffic->busy[count++] = block;
        }
    }
    traffic->busy_count = count;
}

void thg_traffic_forget_ways(thg_traffic *traffic, bool forget)
{
    traffic->forget = forget;
}

bool thg_traffic_is_calm(const thg_traffic *traffic)
{
    return traffic->busy_count == 0;
}

/// What is in and round a block: binomial weights, so that one more or less does not show.
typedef struct surroundings {
    float area, pace, along_x, along_y, yielding;
    float ground; ///< metres squared where the class may be, in the same weights
} surroundings;

/// Counts the cells of each block where a class may be, when the map has changed.
static void survey(thg_traffic *traffic, int class_index)
{
    const throng_map *map = traffic->map;
    const thg_layer *layer = &map->layers[class_index];
    uint16_t *ground = traffic->ground[class_index];
    if (traffic->ground_version[class_index] == map->version) {
        return;
    }
    traffic->ground_version[class_index] = map->version;
    memset(ground, 0, traffic->block_count * sizeof *ground);
    for (int y = 0; y < map->height; y++) {
        uint16_t *row = ground + (size_t)(y / traffic->side) * (size_t)traffic->width;
        const uint32_t *clearance = layer->clearance + thg_padded_index(map, 0, y);
        for (int x = 0; x < map->width; x++) {
            row[x / traffic->side] += clearance[x] != 0;
        }
    }
}

static surroundings look_round(const thg_traffic *traffic, const uint16_t *ground, int column,
                               int row)
{
    static const float weights[2 * REACH + 1] = {1.0f, 4.0f, 6.0f, 4.0f, 1.0f};
    const float unit = 1.0f / (float)THG_TRAFFIC_AREA;
    float cell_area = traffic->map->cell_size * traffic->map->cell_size;
    surroundings sum = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
    for (int y = thg_max_int(row - REACH, 0); y <= thg_min_int(row + REACH, traffic->height - 1);
         y++) {
        for (int x = thg_max_int(column - REACH, 0);
             x <= thg_min_int(column + REACH, traffic->width - 1); x++) {
            const thg_traffic_block *block = &traffic->kept[y * traffic->width + x];
            float weight = weights[y - row + REACH] * weights[x - column + REACH];
            sum.area += weight * (float)block->area * unit;
            sum.pace += weight * (float)block->pace * unit;
            sum.along_x += weight * (float)block->along_x * unit;
            sum.along_y += weight * (float)block->along_y * unit;
            sum.yielding += weight * (float)block->yielding * unit;
            sum.ground += weight * (float)ground[y * traffic->width + x] * cell_area;
        }
    }
    return sum;
}

/// The field's mean direction over a block; zero where it has none yet.
static throng_vec2 direction_of(const thg_traffic *traffic, const throng_field *field, int column,
                                int row)
{
    const throng_map *map = traffic->map;
    const int8_t *flow = thg_field_flow(field);
    int right = thg_min_int((column + 1) * traffic->side, map->width);
    int bottom = thg_min_int((row + 1) * traffic->side, map->height);
    int sum_x = 0, sum_y = 0;
    for (int y = row * traffic->side; y < bottom; y++) {
        for (int x = column * traffic->side; x < right; x++) {
            size_t cell = thg_padded_index(map, x, y);
            sum_x += flow[2 * cell];
            sum_y += flow[2 * cell + 1];
        }
    }
    float length = sqrtf((float)sum_x * (float)sum_x + (float)sum_y * (float)sum_y);
    return length > 0.0f ? (throng_vec2){(float)sum_x / length, (float)sum_y / length}
                         : (throng_vec2){0.0f, 0.0f};
}

/// Time that a metre of a block takes now over the time it takes alone.
static float delay_of(const thg_traffic *traffic, const throng_field *field, int column, int row)
{
    surroundings sum = look_round(traffic, traffic->ground[field->class_index], column, row);
    float taken = sum.ground > 0.0f ? sum.area / sum.ground : 0.0f;
    float crowded = thg_clamp((taken - FREE) / (FULL - FREE), 0.0f, 1.0f);
    if (!(crowded > 0.0f)) {
        return 1.0f;
    }
    throng_vec2 way = direction_of(traffic, field, column, row);
    bool known = !traffic->forget && (way.x != 0.0f || way.y != 0.0f);
    float along = known ? sum.along_x * way.x + sum.along_y * way.y : sum.pace;
    float speed = thg_clamp((along + YIELDING * sum.yielding) / sum.area, LEAST, 1.0f);
    return 1.0f / (1.0f + crowded * (speed - 1.0f));
}

static void list_warm(thg_traffic *traffic, uint32_t block)
{
    if ((traffic->listed[block] & WARM) == 0) {
        traffic->listed[block] |= WARM;
        traffic->warm[traffic->warm_count++] = block;
    }
}

/// Lists the blocks within `reach` of the busy ones.
static void list_all_warm(thg_traffic *traffic, int reach)
{
    traffic->warm_count = 0;
    for (int i = 0; i < traffic->busy_count; i++) {
        int column = (int)(traffic->busy[i] % (uint32_t)traffic->width);
        int row = (int)(traffic->busy[i] / (uint32_t)traffic->width);
        for (int y = thg_max_int(row - reach, 0);
             y <= thg_min_int(row + reach, traffic->height - 1); y++) {
            for (int x = thg_max_int(column - reach, 0);
                 x <= thg_min_int(column + reach, traffic->width - 1); x++) {
                list_warm(traffic, (uint32_t)(y * traffic->width + x));
            }
        }
    }
}

/// Factor at a cell, between the middles of the four blocks around it.
static uint32_t factor_at(const thg_traffic *traffic, int x, int y)
{
    // In half cells from the middle of the first block.
    int side = 2 * traffic->side;
    int from_x = thg_max_int(2 * x + 1 - traffic->side, 0);
    int from_y = thg_max_int(2 * y + 1 - traffic->side, 0);
    int left = from_x / side, top = from_y / side;
    int right = thg_min_int(left + 1, traffic->width - 1);
    int bottom = thg_min_int(top + 1, traffic->height - 1);
    uint32_t part_x = (uint32_t)(from_x - left * side), part_y = (uint32_t)(from_y - top * side);
    uint32_t rest_x = (uint32_t)side - part_x, rest_y = (uint32_t)side - part_y;
    const uint16_t *upper = traffic->factor + top * traffic->width;
    const uint16_t *lower = traffic->factor + bottom * traffic->width;
    uint64_t sum = (uint64_t)rest_y * (rest_x * upper[left] + part_x * upper[right]) +
                   (uint64_t)part_y * (rest_x * lower[left] + part_x * lower[right]);
    return (uint32_t)(sum / ((uint64_t)side * (uint64_t)side));
}

/// Prices the cells of a block; returns the highest.
static uint16_t price_block(const thg_traffic *traffic, const thg_layer *layer, uint32_t block,
                            uint16_t *price)
{
    const throng_map *map = traffic->map;
    int column = (int)(block % (uint32_t)traffic->width);
    int row = (int)(block / (uint32_t)traffic->width);
    int right = thg_min_int((column + 1) * traffic->side, map->width);
    int bottom = thg_min_int((row + 1) * traffic->side, map->height);
    uint16_t most = 0;
    for (int y = row * traffic->side; y < bottom; y++) {
        for (int x = column * traffic->side; x < right; x++) {
            size_t cell = thg_padded_index(map, x, y);
            uint32_t scaled = layer->price[cell] * factor_at(traffic, x, y) / FACTOR_UNIT;
            price[cell] = (uint16_t)(scaled < UINT16_MAX ? scaled : UINT16_MAX);
            most = price[cell] > most ? price[cell] : most;
        }
    }
    return most;
}

thg_prices thg_traffic_price(thg_traffic *traffic, const throng_field *field, float weight,
                             uint16_t *price)
{
    const throng_map *map = traffic->map;
    const thg_layer *layer = thg_field_layer(field);
    thg_prices prices = {price, layer->min_price, layer->max_price};
    survey(traffic, field->class_index);
    memcpy(price, layer->price, map->padded_count * sizeof *price);
    list_all_warm(traffic, REACH + 1);
    for (int i = 0; i < traffic->warm_count; i++) {
        uint32_t block = traffic->warm[i];
        float delay = delay_of(traffic, field, (int)(block % (uint32_t)traffic->width),
                               (int)(block / (uint32_t)traffic->width));
        float factor = 1.0f + weight * (delay - 1.0f);
        traffic->factor[block] = (uint16_t)(factor * (float)FACTOR_UNIT + 0.5f);
    }
    for (int i = 0; i < traffic->warm_count; i++) {
        uint16_t most = price_block(traffic, layer, traffic->warm[i], price);
        prices.max = most > prices.max ? most : prices.max;
    }
    for (int i = 0; i < traffic->warm_count; i++) {
        traffic->factor[traffic->warm[i]] = FACTOR_UNIT;
        traffic->listed[traffic->warm[i]] &= (uint8_t)~WARM;
    }
    return prices;
}

const thg_traffic_block *thg_traffic_blocks(const thg_traffic *traffic, int *width, int *height,
                                            int *side)
{
    *width = traffic->width;
    *height = traffic->height;
    *side = traffic->side;
    return traffic->kept;
}

bool thg_traffic_restore(thg_traffic *traffic, const thg_traffic_block *blocks)
{
    bool valid = true;
    for (size_t i = 0; i < traffic->block_count && valid; i++) {
        const thg_traffic_block *block = &blocks[i];
        valid = block->area >= 0 && block->area <= AREA_LIMIT && block->yielding >= 0 &&
                block->yielding <= AREA_LIMIT && block->pace >= 0 && block->pace <= AREA_LIMIT &&
                block->along_x >= -AREA_LIMIT && block->along_x <= AREA_LIMIT &&
                block->along_y >= -AREA_LIMIT && block->along_y <= AREA_LIMIT;
    }
    for (size_t i = 0; i < traffic->block_count; i++) {
        traffic->kept[i] = valid ? blocks[i] : (thg_traffic_block){0};
        traffic->now[i] = (thg_traffic_block){0};
        traffic->listed[i] = 0;
    }
    traffic->busy_count = 0;
    for (size_t i = 0; i < traffic->block_count; i++) {
        if (!is_empty(&traffic->kept[i])) {
            list_busy(traffic, (uint32_t)i);
        }
    }
    return valid;
}
