/// All of the library's doors in one. In reading order: words, threads, map, fields, crowd, steer,
/// replay.
#ifndef THRONG_THRONG_H
#define THRONG_THRONG_H

#include <throng/base.h>
#include <throng/crowd.h>
#include <throng/explain.h>
#include <throng/field.h>
#include <throng/jobs.h>
#include <throng/map.h>
#include <throng/path.h>
#include <throng/planet.h>
#include <throng/query.h>
#include <throng/replay.h>
#include <throng/rooms.h>
#include <throng/route.h>
#include <throng/steer.h>

#endif
