/// Figures made in code. Each is a handful of lathes: rings round an axis that closes at both ends.
/// A level of detail is the same lathes with fewer sides; the last is a card that faces the camera.
#include "meshes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_RINGS 7

/// One ring: height, half axes, and how far ahead and right its middle lies.
typedef struct ring {
    float z, ahead, across, x, y;
} ring;

typedef struct lathe {
    int part, material, count;
    ring rings[MAX_RINGS];
} lathe;

#define LATHES 8

enum { TRUNK, LEFT_LEG, RIGHT_LEG, LEFT_ARM, RIGHT_ARM, HEAD, HAT, PACK };

/// An upright person of 1.75 m; the others are this one changed.
static const lathe person[LATHES] = {
    [TRUNK] = {0,
               0,
               6,
               {{0.80f, 0.09f, 0.13f, 0, 0},
                {0.86f, 0.13f, 0.18f, 0, 0},
                {1.05f, 0.11f, 0.15f, 0, 0},
                {1.30f, 0.13f, 0.20f, 0.01f, 0},
                {1.43f, 0.10f, 0.17f, 0, 0},
                {1.49f, 0.05f, 0.06f, 0, 0}}},
    [LEFT_LEG] = {1,
                  2,
                  5,
                  {{0.00f, 0.10f, 0.05f, 0.05f, -0.10f},
                   {0.05f, 0.11f, 0.055f, 0.05f, -0.10f},
                   {0.12f, 0.05f, 0.05f, 0, -0.10f},
                   {0.48f, 0.065f, 0.065f, 0.01f, -0.10f},
                   {0.88f, 0.09f, 0.09f, 0, -0.09f}}},
    [RIGHT_LEG] = {2,
                   2,
                   5,
                   {{0.00f, 0.10f, 0.05f, 0.05f, 0.10f},
                    {0.05f, 0.11f, 0.055f, 0.05f, 0.10f},
                    {0.12f, 0.05f, 0.05f, 0, 0.10f},
                    {0.48f, 0.065f, 0.065f, 0.01f, 0.10f},
                    {0.88f, 0.09f, 0.09f, 0, 0.09f}}},
    [LEFT_ARM] = {3,
                  0,
                  5,
                  {{0.76f, 0.03f, 0.03f, 0.05f, -0.26f},
                   {0.84f, 0.045f, 0.04f, 0.04f, -0.26f},
                   {1.10f, 0.045f, 0.045f, 0, -0.255f},
                   {1.36f, 0.06f, 0.06f, 0, -0.22f},
                   {1.44f, 0.04f, 0.04f, 0, -0.18f}}},
    [RIGHT_ARM] = {4,
                   0,
                   5,
                   {{0.76f, 0.03f, 0.03f, 0.05f, 0.26f},
                    {0.84f, 0.045f, 0.04f, 0.04f, 0.26f},
                    {1.10f, 0.045f, 0.045f, 0, 0.255f},
                    {1.36f, 0.06f, 0.06f, 0, 0.22f},
                    {1.44f, 0.04f, 0.04f, 0, 0.18f}}},
    [HEAD] = {5,
              1,
              5,
              {{1.46f, 0.05f, 0.05f, 0, 0},
               {1.53f, 0.08f, 0.07f, 0.015f, 0},
               {1.61f, 0.105f, 0.085f, 0.015f, 0},
               {1.70f, 0.09f, 0.075f, 0, 0},
               {1.75f, 0.03f, 0.03f, 0, 0}}},
    [HAT] = {5,
             4,
             4,
             {{1.60f, 0.09f, 0.09f, -0.03f, 0},
              {1.68f, 0.11f, 0.095f, -0.01f, 0},
              {1.75f, 0.085f, 0.075f, -0.01f, 0},
              {1.78f, 0.02f, 0.02f, -0.01f, 0}}},
    [PACK] =
        {0, 3, 4, {{1.3f, 0, 0, 0, 0}, {1.3f, 0, 0, 0, 0}, {1.3f, 0, 0, 0, 0}, {1.3f, 0, 0, 0, 0}}},
};

static void make_soldier(lathe *body)
{
    static const lathe helmet = {5,
                                 3,
                                 4,
                                 {{1.62f, 0.14f, 0.125f, 0, 0},
                                  {1.69f, 0.135f, 0.12f, 0, 0},
                                  {1.77f, 0.10f, 0.09f, 0, 0},
                                  {1.81f, 0.02f, 0.02f, 0, 0}}};
    static const lathe pack = {0,
                               3,
                               4,
                               {{1.00f, 0.06f, 0.12f, -0.17f, 0},
                                {1.04f, 0.09f, 0.15f, -0.18f, 0},
                                {1.38f, 0.09f, 0.14f, -0.18f, 0},
                                {1.42f, 0.05f, 0.10f, -0.16f, 0}}};
    body[HAT] = helmet;
    body[PACK] = pack;
    for (int i = 0; i < body[TRUNK].count; i++) {
        body[TRUNK].rings[i].across *= 1.12f;
        body[TRUNK].rings[i].ahead *= 1.15f;
    }
}

/// Broad and heavy, with hardly a neck.
static void make_big(lathe *body)
{
    for (int part = 0; part < LATHES; part++) {
        for (int i = 0; i < body[part].count; i++) {
            ring *at = &body[part].rings[i];
            float wide = part == HEAD || part == HAT ? 1.05f : 1.55f;
            at->ahead *= wide;
            at->across *= wide;
            at->y *= part == LEFT_LEG || part == RIGHT_LEG ? 1.4f : 1.62f;
            if (part == HEAD || part == HAT) {
                at->z -= 0.04f;
                at->x += 0.05f;
            }
        }
    }
    body[TRUNK].rings[3].across *= 1.1f;
}

/// Bent forward, with arms held out.
static void make_zombie(lathe *body)
{
    for (int part = 0; part < LATHES; part++) {
        for (int i = 0; i < body[part].count; i++) {
            ring *at = &body[part].rings[i];
            if (part == LEFT_ARM || part == RIGHT_ARM) {
                // The arm's own length, laid ahead; rings stay across it as well as they can.
                float down = 1.42f - at->z;
                at->x = down * 0.93f + 0.10f;
                at->z = 1.42f - down * 0.18f - 0.05f * (float)(part == LEFT_ARM) * down;
                at->ahead = 0.045f;
            } else if (at->z > 0.9f) {
                at->x += (at->z - 0.9f) * 0.22f;
                at->z -= (at->z - 0.9f) * 0.04f;
            }
            if (part == LEFT_ARM || part == RIGHT_ARM) {
                body[part].material = 1;
            }
        }
    }
}

typedef struct builder {
    thg_vertex *vertex;
    uint16_t *index;
    int vertices, indices;
} builder;

static void add_triangle(builder *to, int a, int b, int c)
{
    if (to->index != NULL) {
        to->index[to->indices] = (uint16_t)a;
        to->index[to->indices + 1] = (uint16_t)b;
        to->index[to->indices + 2] = (uint16_t)c;
    }
    to->indices += 3;
}

/// Rings `skip` apart, the first and the last always, of `sides` corners each, and two ends.
static void add_lathe(builder *to, int start, const lathe *shape, int sides, int skip)
{
    int previous = -1, base = to->vertices - start;
    for (int i = 0; i < shape->count; i += skip) {
        if (i + skip >= shape->count) {
            i = shape->count - 1;
        }
        const ring *at = &shape->rings[i];
        const ring *below = &shape->rings[i > 0 ? i - 1 : 0];
        const ring *above = &shape->rings[i < shape->count - 1 ? i + 1 : i];
        float rise = above->z - below->z, shrink = below->across - above->across;
        float slope = fabsf(rise) > 1e-4f ? shrink / rise : 0.0f;
        slope = i == 0 ? -1.5f : i == shape->count - 1 ? 1.5f : fminf(fmaxf(slope, -1.0f), 1.0f);
        int row = to->vertices - start;
        for (int side = 0; side < sides; side++) {
            float angle = 6.2831853f * ((float)side + 0.5f) / (float)sides;
            float c = cosf(angle), s = sinf(angle), length = sqrtf(1.0f + slope * slope);
            to->vertex[to->vertices++] =
                (thg_vertex){{at->x + at->ahead * c, at->y + at->across * s, at->z},
                             (float)shape->part,
                             {c / length, s / length, slope / length},
                             (float)shape->material};
        }
        for (int side = 0; side < sides && previous >= 0; side++) {
            int next = (side + 1) % sides;
            add_triangle(to, previous + side, previous + next, row + side);
            add_triangle(to, row + side, previous + next, row + next);
        }
        previous = row;
        if (i == shape->count - 1) {
            break;
        }
    }
    for (int side = 1; side + 1 < sides; side++) {
        add_triangle(to, previous, previous + side, previous + side + 1);
        add_triangle(to, base, base + side + 1, base + side);
    }
}

static void add_card(builder *to, int start)
{
    int base = to->vertices - start;
    for (int i = 0; i < 4; i++) {
        float across = (i & 1) != 0 ? 0.28f : -0.28f, up = (i >> 1) != 0 ? 1.8f : 0.0f;
        to->vertex[to->vertices++] = (thg_vertex){{across, 0, up}, 6.0f, {1, 0, 0}, 0.0f};
    }
    add_triangle(to, base, base + 1, base + 2);
    add_triangle(to, base + 2, base + 1, base + 3);
}

static void shape_of(throng_figure figure, lathe *body)
{
    memcpy(body, person, sizeof person);
    if (figure == THRONG_FIGURE_SOLDIER) {
        make_soldier(body);
    } else if (figure == THRONG_FIGURE_BIG) {
        make_big(body);
    } else if (figure == THRONG_FIGURE_ZOMBIE) {
        make_zombie(body);
    }
}

bool thg_meshes_create(thg_meshes *meshes)
{
    static const int sides[THRONG_FIGURE_LEVELS] = {14, 8, 4, 0};
    static const int skips[THRONG_FIGURE_LEVELS] = {1, 1, 2, 0};
    enum { MOST_VERTICES = 16384, MOST_INDICES = 16384 };
    memset(meshes, 0, sizeof *meshes);
    meshes->vertices = calloc(MOST_VERTICES, sizeof *meshes->vertices);
    meshes->indices = calloc(MOST_INDICES, sizeof *meshes->indices);
    if (meshes->vertices == NULL || meshes->indices == NULL) {
        thg_meshes_free(meshes);
        return false;
    }
    builder to = {.vertex = meshes->vertices};
    for (int figure = 0; figure < THRONG_FIGURE_COUNT; figure++) {
        lathe body[LATHES];
        shape_of((throng_figure)figure, body);
        int start_of_figure = to.vertices;
        to.index = figure == 0 ? meshes->indices : NULL; // the same for all
        to.indices = 0;
        for (int level = 0; level < THRONG_FIGURE_LEVELS; level++) {
            int start = to.vertices;
            meshes->vertex_offset[level] = start - start_of_figure;
            meshes->first_index[level] = to.indices;
            for (int part = 0; part < LATHES && sides[level] > 0; part++) {
                add_lathe(&to, start, &body[part], sides[level], skips[level]);
            }
            if (sides[level] == 0) {
                add_card(&to, start);
            }
            meshes->indices_of[level] = to.indices - meshes->first_index[level];
        }
        meshes->figure_vertices = to.vertices - start_of_figure;
    }
    static const uint16_t square[6] = {0, 1, 2, 2, 1, 3};
    memcpy(meshes->indices + to.indices, square, sizeof square);
    meshes->shadow_first = to.indices;
    meshes->shadow_indices = 6;
    meshes->index_count = to.indices + 6;
    return true;
}

void thg_meshes_free(thg_meshes *meshes)
{
    free(meshes->vertices);
    free(meshes->indices);
    memset(meshes, 0, sizeof *meshes);
}
