/// See detour_crowd.h. The field lies in Detour's x and z; heights are zero.
#include "detour_crowd.h"
#include <DetourAlloc.h>
#include <DetourCrowd.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <cmath>
#include <new>
#include <vector>

namespace {

constexpr unsigned short no_neighbour = 0xffff;
constexpr float height = 2.0f;

struct start {
    float x, y, distance;
};

/// The squares of the field as Detour's builder takes them.
struct quad_mesh {
    std::vector<unsigned short> vertices, polygons, flags;
    std::vector<unsigned char> areas;
};

quad_mesh lay_quads(int quads, const unsigned char *pillars)
{
    quad_mesh mesh;
    std::vector<unsigned short> number(static_cast<size_t>(quads) * quads, no_neighbour);
    unsigned short count = 0;
    for (size_t i = 0; i < number.size(); i++) {
        if (pillars == nullptr || pillars[i] == 0) {
            number[i] = count++;
        }
    }
    for (int y = 0; y <= quads; y++) {
        for (int x = 0; x <= quads; x++) {
            mesh.vertices.push_back(static_cast<unsigned short>(x));
            mesh.vertices.push_back(0);
            mesh.vertices.push_back(static_cast<unsigned short>(y));
        }
    }
    auto at = [&](int x, int y) {
        bool inside = x >= 0 && y >= 0 && x < quads && y < quads;
        return inside ? number[static_cast<size_t>(y) * quads + x] : no_neighbour;
    };
    for (int y = 0; y < quads; y++) {
        for (int x = 0; x < quads; x++) {
            if (at(x, y) == no_neighbour) {
                continue;
            }
            int corner = y * (quads + 1) + x;
            const int around[4] = {corner, corner + quads + 1, corner + quads + 2, corner + 1};
            for (int vertex : around) {
                mesh.polygons.push_back(static_cast<unsigned short>(vertex));
            }
            for (unsigned short next : {at(x - 1, y), at(x, y + 1), at(x + 1, y), at(x, y - 1)}) {
                mesh.polygons.push_back(next);
            }
            mesh.flags.push_back(1);
            mesh.areas.push_back(0);
        }
    }
    return mesh;
}

dtNavMesh *build_mesh(int quads, float size, const unsigned char *pillars, float radius)
{
    quad_mesh mesh = lay_quads(quads, pillars);
    dtNavMeshCreateParams params = {};
    params.verts = mesh.vertices.data();
    params.vertCount = static_cast<int>(mesh.vertices.size() / 3);
    params.polys = mesh.polygons.data();
    params.polyFlags = mesh.flags.data();
    params.polyAreas = mesh.areas.data();
    params.polyCount = static_cast<int>(mesh.flags.size());
    params.nvp = 4;
    params.bmax[0] = params.bmax[2] = static_cast<float>(quads) * size;
    params.bmax[1] = height;
    params.walkableHeight = height;
    params.walkableRadius = radius;
    params.walkableClimb = 0.5f;
    params.cs = size;
    params.ch = 0.2f;
    params.buildBvTree = true;
    unsigned char *data = nullptr;
    int bytes = 0;
    if (!dtCreateNavMeshData(&params, &data, &bytes)) {
        return nullptr;
    }
    dtNavMesh *made = dtAllocNavMesh();
    if (made == nullptr || dtStatusFailed(made->init(data, bytes, DT_TILE_FREE_DATA))) {
        dtFree(data);
        dtFreeNavMesh(made);
        return nullptr;
    }
    return made;
}

} // namespace

struct detour_crowd {
    dtNavMesh *mesh;
    dtCrowd *crowd;
    std::vector<start> starts;
    std::vector<int> agents;
};

bool detour_is_there(void)
{
    return true;
}

detour_crowd *detour_create(int quads, float size, const unsigned char *pillars, int agents,
                            float radius)
{
    if (pillars == nullptr) {
        size *= static_cast<float>(quads);
        quads = 1;
    }
    detour_crowd *made = new (std::nothrow) detour_crowd();
    if (made == nullptr) {
        return nullptr;
    }
    made->mesh = build_mesh(quads, size, pillars, radius);
    made->crowd = dtAllocCrowd();
    if (made->mesh == nullptr || made->crowd == nullptr ||
        !made->crowd->init(agents, radius, made->mesh)) {
        detour_destroy(made);
        return nullptr;
    }
    // RecastDemo's settings for the avoidance of the highest quality, which it starts with.
    dtObstacleAvoidanceParams avoidance = *made->crowd->getObstacleAvoidanceParams(0);
    avoidance.velBias = 0.5f;
    avoidance.adaptiveDivs = 7;
    avoidance.adaptiveRings = 3;
    avoidance.adaptiveDepth = 3;
    made->crowd->setObstacleAvoidanceParams(3, &avoidance);
    return made;
}

void detour_destroy(detour_crowd *crowd)
{
    if (crowd != nullptr) {
        dtFreeCrowd(crowd->crowd);
        dtFreeNavMesh(crowd->mesh);
        delete crowd;
    }
}

bool detour_add(detour_crowd *crowd, float x, float y, float radius, float speed,
                float acceleration, float target_x, float target_y)
{
    dtCrowdAgentParams params = {};
    params.radius = radius;
    params.height = height;
    params.maxAcceleration = acceleration;
    params.maxSpeed = speed;
    params.collisionQueryRange = radius * 12.0f;
    params.pathOptimizationRange = radius * 30.0f;
    params.separationWeight = 2.0f;
    params.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OPTIMIZE_VIS |
                         DT_CROWD_OPTIMIZE_TOPO | DT_CROWD_OBSTACLE_AVOIDANCE;
    params.obstacleAvoidanceType = 3;
    const float position[3] = {x, 0.0f, y}, wanted[3] = {target_x, 0.0f, target_y};
    const float extents[3] = {4.0f, 2.0f, 4.0f};
    float target[3];
    dtPolyRef polygon = 0;
    int agent = crowd->crowd->addAgent(position, &params);
    const dtNavMeshQuery *query = crowd->crowd->getNavMeshQuery();
    if (agent < 0 ||
        dtStatusFailed(query->findNearestPoly(wanted, extents, crowd->crowd->getFilter(0),
                                              &polygon, target)) ||
        polygon == 0 || !crowd->crowd->requestMoveTarget(agent, polygon, target)) {
        return false;
    }
    crowd->agents.push_back(agent);
    crowd->starts.push_back({x, y, std::hypot(target[0] - x, target[2] - y)});
    return true;
}

void detour_step(detour_crowd *crowd, float dt)
{
    crowd->crowd->update(dt, nullptr);
}

int detour_count_ready(const detour_crowd *crowd)
{
    int count = 0;
    for (int agent : crowd->agents) {
        count += crowd->crowd->getAgent(agent)->targetState == DT_CROWDAGENT_TARGET_VALID;
    }
    return count;
}

int detour_count_full_paths(const detour_crowd *crowd)
{
    int count = 0;
    for (int index : crowd->agents) {
        const dtCrowdAgent *agent = crowd->crowd->getAgent(index);
        count += agent->targetState == DT_CROWDAGENT_TARGET_VALID && !agent->partial;
    }
    return count;
}

float detour_progress(const detour_crowd *crowd)
{
    double sum = 0.0;
    for (size_t i = 0; i < crowd->agents.size(); i++) {
        const dtCrowdAgent *agent = crowd->crowd->getAgent(crowd->agents[i]);
        float dx = agent->targetPos[0] - agent->npos[0], dy = agent->targetPos[2] - agent->npos[2];
        sum += static_cast<double>(crowd->starts[i].distance - std::hypot(dx, dy));
    }
    return crowd->agents.empty() ? 0.0f
                                 : static_cast<float>(sum / static_cast<double>(crowd->agents.size()));
}
