/// Figures made in code: the same rings and triangles for all, in other shapes.
#ifndef THG_MESHES_H
#define THG_MESHES_H

#include <throng_gpu/drawing.h>

/// As the shaders read it: metres at size 1, x ahead, y to the right, z up from the ground.
typedef struct thg_vertex {
    float place[3], part;      ///< part: 0 trunk, 1 2 legs, 3 4 arms, 5 head, 6 impostor
    float normal[3], material; ///< 0 tint, 1 skin, 2 trousers, 3 gear, 4 hair
} thg_vertex;

typedef struct thg_meshes {
    thg_vertex *vertices; ///< figure after figure, each `figure_vertices`
    uint16_t *indices;    ///< level after level, the same for all figures, then the shadow's square
    int figure_vertices, index_count;
    int first_index[THRONG_FIGURE_LEVELS], indices_of[THRONG_FIGURE_LEVELS];
    int vertex_offset[THRONG_FIGURE_LEVELS];
    int shadow_first, shadow_indices;
} thg_meshes;

bool thg_meshes_create(thg_meshes *meshes);
void thg_meshes_free(thg_meshes *meshes);

#endif
