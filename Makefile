# The front door. CMake does the work, under build/.
#
# `make run` needs a C compiler, make and cmake. The other targets first let tools/setup look for
# what they need, and install or name what is missing.

JOBS    ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
ARGS    ?=
SCALE   ?= 1
SECONDS ?= 60
COUNT   ?= 50
SEED    ?= 1

# Configures and builds a preset: $(call build,preset,target). Quiet unless something is wrong.
define build
@mkdir -p build
@cmake --preset $(1) >build/$(1)-configure.log 2>&1 || { cat build/$(1)-configure.log; exit 1; }
@echo "building build/$(1)"
@cmake --build build/$(1) -j $(JOBS) --target $(2) -- -s --no-print-directory
endef

.PHONY: help run test bench check test-asan test-tsan test-aarch64 soak fuzz dist coverage \
	mutants reports api format clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 20

run: ## build and run the program that shows what Oxbow does
	@tools/setup run
	$(call build,release,oxbow_run)
	@build/release/run/oxbow_run $(ARGS)

test: ## build and run all tests
	@tools/setup test
	$(call build,checked,all)
	@python3 tools/run_tests.py --build build/checked --scale $(SCALE)

test-asan: ## all tests under AddressSanitizer and UBSan, at level 3
	@tools/setup test
	$(call build,asan,all)
	@python3 tools/run_tests.py --build build/asan --scale 0.2

test-tsan: ## all tests under ThreadSanitizer, at level 1
	@tools/setup test
	$(call build,tsan,all)
	@python3 tools/run_tests.py --build build/tsan --scale 0.2

test-aarch64: ## tests that are C programs, built for aarch64 at level 2 and run by qemu
	@tools/setup test-aarch64
	$(call build,aarch64,all)
	@python3 tools/run_tests.py --build build/aarch64 --scale 0.05

soak: ## MINUTES=n of scenes with all checks; else the tests with 100 times the random cases
	@tools/setup test
ifdef MINUTES
	$(call build,checked,scene_soak)
	@build/checked/tests/scene_soak $(MINUTES)
else
	$(call build,checked,all)
	@python3 tools/run_tests.py --build build/checked --scale 100
endif

bench: ## measure: make bench [ARGS="--filter memory --json FILE"]
	@tools/setup bench
	$(call build,release,oxbow_bench)
	@build/release/bench/oxbow_bench $(ARGS)

check: ## format, layers, sizes, symbols, headers, comments, docs
	@tools/setup check
	$(call build,checked,oxbow oxbow-shared oxbow-checked oxbow-checked-shared oxbow-unity)
	@python3 tools/check

fuzz: ## feed parsers and worlds random bytes: make fuzz [SECONDS=60]
	@tools/setup fuzz
	@tools/fuzz $(SECONDS)

dist: ## write oxbow.h and oxbow.c, the library as two files, to build/dist
	@tools/setup dist
	@python3 tools/amalgamate.py --out build/dist
	@echo "build/dist/oxbow.h and build/dist/oxbow.c: cc -std=c11 -pthread oxbow.c game.c -lm"

coverage: ## lines and branches that the tests reach
	@tools/setup test
	$(call build,coverage,all)
	@find build/coverage -name '*.gcda' -delete # what earlier builds counted is not to be added
	@python3 tools/run_tests.py --build build/coverage --scale 0.2
	@python3 tools/coverage.py --build build/coverage

mutants: ## mistakes that no test sees: make mutants MODULE=storage [COUNT=50 SEED=1]
	@tools/setup test
	@python3 tools/mutants.py --module $(or $(MODULE),storage) --count $(COUNT) --seed $(SEED) \
		--jobs $(JOBS) $(ARGS)

reports: ## write docs/reports.md anew from the list of reports
	@python3 tools/gen_reports.py

api: ## write docs/api.md anew from the headers
	@python3 tools/gen_api.py

format: ## format all C files
	@git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp' | xargs clang-format -i

clean: ## remove everything that was built
	rm -rf build
