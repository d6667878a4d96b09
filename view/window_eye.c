/// The camera by hand.
#include "window.h"
#include <math.h>

#define STEEPEST 1.553f ///< radians; straight down there is no horizon
#define FLATTEST (-0.3f)

static void ahead_of(const view_eye *eye, float *ahead)
{
    ahead[0] = -sinf(eye->yaw) * cosf(eye->pitch);
    ahead[1] = -cosf(eye->yaw) * cosf(eye->pitch);
    ahead[2] = -sinf(eye->pitch);
}

void view_eye_from(view_eye *eye, const throng_camera *camera)
{
    float way[3], square = 0.0f;
    for (int i = 0; i < 3; i++) {
        way[i] = camera->eye[i] - camera->target[i];
        square += way[i] * way[i];
        eye->target[i] = camera->target[i];
    }
    eye->distance = fmaxf(sqrtf(square), 0.5f);
    float flat = sqrtf(way[0] * way[0] + way[1] * way[1]);
    eye->yaw = flat > 1e-4f * eye->distance ? atan2f(way[0], way[1]) : 0.0f;
    eye->pitch = fminf(atan2f(way[2], flat), STEEPEST);
}

throng_camera view_eye_camera(const view_eye *eye)
{
    float ahead[3];
    ahead_of(eye, ahead);
    throng_camera camera = {.view_angle = 0.7f,
                            .near = fmaxf(0.2f, 0.02f * eye->distance),
                            .far = 40.0f * eye->distance + 2000.0f};
    for (int i = 0; i < 3; i++) {
        camera.target[i] = eye->target[i];
        camera.eye[i] = eye->target[i] - ahead[i] * eye->distance;
    }
    camera.eye[2] = fmaxf(camera.eye[2], 0.3f);
    return camera;
}

void view_eye_turn(view_eye *eye, float dx, float dy)
{
    throng_camera before = view_eye_camera(eye);
    eye->yaw += dx * 0.005f;
    eye->pitch = fminf(fmaxf(eye->pitch + dy * 0.005f, FLATTEST), STEEPEST);
    if (eye->flies) {
        float ahead[3];
        ahead_of(eye, ahead);
        for (int i = 0; i < 3; i++) {
            eye->target[i] = before.eye[i] + ahead[i] * eye->distance;
        }
    }
}

void view_eye_move(view_eye *eye, float right, float ahead, float up)
{
    float c = cosf(eye->yaw), s = sinf(eye->yaw), length = eye->distance, way[3];
    eye->target[0] += (c * right - s * ahead) * length;
    eye->target[1] += (-s * right - c * ahead) * length;
    if (eye->flies) {
        ahead_of(eye, way);
        eye->target[2] = fmaxf(eye->target[2] + (way[2] * ahead + up) * length, -length);
    }
}

void view_eye_zoom(view_eye *eye, float steps)
{
    if (eye->flies) {
        view_eye_move(eye, 0.0f, 0.12f * steps, 0.0f);
    } else {
        eye->distance = fminf(fmaxf(eye->distance * powf(0.88f, steps), 1.0f), 20000.0f);
    }
}

int view_eye_pick(const view_eye *eye, const view_stage *stage, float aspect, float x, float y)
{
    throng_camera camera = view_eye_camera(eye);
    throng_vec2 ground;
    if (!throng_camera_ground(&camera, aspect, x, y, &ground)) {
        return -1;
    }
    float way[3] = {ground.x - camera.eye[0], ground.y - camera.eye[1], -camera.eye[2]};
    float length = sqrtf(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]), best = 1e9f;
    int found = -1;
    for (int i = 0; i < stage->agent_count; i++) {
        const throng_drawn_agent *agent = &stage->agents[i];
        float to[3] = {agent->x - camera.eye[0], agent->y - camera.eye[1], 0.9f - camera.eye[2]};
        float along = (to[0] * way[0] + to[1] * way[1] + to[2] * way[2]) / length, off = 0.0f;
        for (int c = 0; c < 3; c++) {
            float d = to[c] - way[c] / length * along;
            off += d * d;
        }
        // A finger's width, or a body's.
        float reach = fmaxf(0.9f, 0.012f * along);
        if (along > 0.0f && off < reach * reach && off < best) {
            best = off;
            found = i;
        }
    }
    return found;
}
