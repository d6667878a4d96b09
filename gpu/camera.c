/// Cameras: matrices, the planes of what is seen, and rays.
///
/// Matrices are column by column. Seen from above +x points right and +y down, as maps are drawn,
/// so the view mirrors y; depth runs from 0 at `near` to 1 at `far`.
#include "drawing.h"
#include <math.h>
#include <string.h>

static void normalise(float *v)
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    length = length > 1e-12f ? length : 1.0f;
    for (int i = 0; i < 3; i++) {
        v[i] /= length;
    }
}

static float dot3(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const float *a, const float *b, float *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

void thg_camera_axes(const throng_camera *camera, float *ahead, float *right, float *up)
{
    for (int i = 0; i < 3; i++) {
        ahead[i] = camera->target[i] - camera->eye[i];
    }
    normalise(ahead);
    // Straight down there is no horizon: then up is where rows come from.
    float high[3] = {0, 0, 1}, north[3] = {0, -1, 0};
    // In a mirrored space the right hand is up x ahead.
    cross3(fabsf(ahead[2]) > 0.9999f ? north : high, ahead, right);
    normalise(right);
    cross3(ahead, right, up);
}

void thg_camera_matrix(const throng_camera *camera, float aspect, float *m)
{
    float ahead[3], right[3], up[3];
    thg_camera_axes(camera, ahead, right, up);
    float tall = 1.0f / tanf(camera->view_angle * 0.5f), near = camera->near, far = camera->far;
    float depth = far / (far - near);
    const float rows[4][4] = {
        {right[0] * tall / aspect, right[1] * tall / aspect, right[2] * tall / aspect,
         -dot3(right, camera->eye) * tall / aspect},
        {-up[0] * tall, -up[1] * tall, -up[2] * tall, dot3(up, camera->eye) * tall},
        {ahead[0] * depth, ahead[1] * depth, ahead[2] * depth,
         -dot3(ahead, camera->eye) * depth - near * depth},
        {ahead[0], ahead[1], ahead[2], -dot3(ahead, camera->eye)},
    };
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            m[column * 4 + row] = rows[row][column];
        }
    }
}

void thg_camera_planes(const float *m, float planes[6][4])
{
    for (int plane = 0; plane < 6; plane++) {
        float length = 0.0f;
        for (int column = 0; column < 4; column++) {
            float w = m[column * 4 + 3], other = m[column * 4 + plane / 2];
            // left, right, top, bottom, near (z >= 0), far
            planes[plane][column] = plane == 4 ? other : plane % 2 == 0 ? w + other : w - other;
        }
        length = sqrtf(dot3(planes[plane], planes[plane]));
        for (int column = 0; column < 4; column++) {
            planes[plane][column] /= length;
        }
    }
}

bool thg_planes_see(float planes[6][4], const float *centre, float radius)
{
    for (int i = 0; i < 6; i++) {
        float distance = planes[i][0] * centre[0] + planes[i][1] * centre[1] +
                         planes[i][2] * centre[2] + planes[i][3];
        if (distance < -radius) {
            return false;
        }
    }
    return true;
}

bool throng_camera_ground(const throng_camera *camera, float aspect, float x, float y,
                          throng_vec2 *point)
{
    float ahead[3], right[3], up[3];
    thg_camera_axes(camera, ahead, right, up);
    float tall = tanf(camera->view_angle * 0.5f);
    float across = (2.0f * x - 1.0f) * tall * aspect, above = (1.0f - 2.0f * y) * tall;
    float way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = ahead[i] + right[i] * across + up[i] * above;
    }
    if (way[2] > -1e-6f || camera->eye[2] <= 0.0f) {
        return false;
    }
    float along = -camera->eye[2] / way[2];
    *point = (throng_vec2){camera->eye[0] + way[0] * along, camera->eye[1] + way[1] * along};
    return true;
}
