// SPDX-License-Identifier: MIT
//
// A queue: elements leave in the order in which they came. Water floods a small maze, square by
// square from the spring, so it reaches each by the shortest way: you see the last digit of how
// many steps that is. Then jobs report leaks to another queue, and a plumber takes three at a time.

#include <oxbow.h>

#include <stdio.h>

enum { WIDTH = 12, HEIGHT = 5, PIPES = 500 };

typedef struct Square {
    int x, y;
} Square;

OX_QUEUE(Front, Square);
OX_QUEUE(Leaks, int);

static const char maze[HEIGHT][WIDTH + 1] = {"S..#....#...", "##.#.##.#.#.", "...#.#....#.",
                                             ".###.#.####.", "......#....."};

OX_PARALLEL_JOB(Inspect, { Leaks_writer leaks; }) {
    if (i % 120 == 7) {
        ox_queue_write(job->leaks, i);
    }
}

static int flood(int distance[HEIGHT][WIDTH]) {
    static const Square steps[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    Front front = ox_queue_create(Front, 0, OX_TEMP);
    ox_queue_reserve(front, WIDTH * HEIGHT); // no square comes twice, so it never grows
    ox_queue_push(front, {0, 0});
    distance[0][0] = 1;
    int most = 1;
    while (!ox_queue_is_empty(front)) {
        Square at = ox_queue_pop(front);
        for (int k = 0; k < 4; k++) {
            Square to = {at.x + steps[k].x, at.y + steps[k].y};
            bool is_inside = to.x >= 0 && to.x < WIDTH && to.y >= 0 && to.y < HEIGHT;
            if (is_inside && maze[to.y][to.x] != '#' && distance[to.y][to.x] == 0) {
                most = distance[to.y][to.x] = distance[at.y][at.x] + 1;
                ox_queue_push(front, to);
            }
        }
    }
    return most;
}

int main(void) {
    int distance[HEIGHT][WIDTH] = {0};
    int most = flood(distance);
    printf("the last square is %d steps away\n", most - 1);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            printf("%c", distance[y][x] > 0 ? '0' + (distance[y][x] - 1) % 10 : '#');
        }
        printf("\n");
    }

    // Jobs add through a writer, without a limit; they come out in the order of their indices.
    Leaks leaks = ox_queue_create(Leaks, 0, OX_PERSISTENT);
    const int known[] = {1000, 2000};
    ox_queue_push_many(leaks, known, 2);
    ox_job inspected = ox_schedule_for(Inspect, PIPES, 32, OX_NO_JOB, {ox_queue_writer_of(leaks)});
    ox_complete(ox_queue_merge_after(leaks, inspected)); // else the next call does it

    // Looking does not take: the first, any one, or all of them as an array.
    int count = ox_queue_count(leaks);
    printf("%d leaks, first is %d, third is %d, last is %d\n", count, ox_queue_peek(leaks),
           ox_queue_read(leaks, 2), *ox_queue_get(leaks, count - 1));
    Leaks_array list = ox_queue_to_array(leaks, OX_TEMP);
    printf("their numbers add up to %d\n", (int)ox_array_sum(list));
    for (int pipe, taken = 0; taken < 3 && ox_queue_try_pop(leaks, &pipe); taken++) {
        printf("mended %d\n", pipe);
    }
    printf("left: %d\n", ox_queue_count(leaks));
    ox_dispose(&leaks);
}

// Output:
// the last square is 35 steps away
// 012#6789#567
// ##3#5##0#4#8
// 654#4#2123#9
// 7###3#3####0
// 890123#54321
// 7 leaks, first is 1000, third is 7, last is 487
// their numbers add up to 4235
// mended 1000
// mended 2000
// mended 7
// left: 4
