# make demo   what forebay does, on an embedded recording
# make test   everything that must hold; installs crates, and what building HiGHS needs into target/tools
# make check  what is quick: formatting, lints, house rules
# make bench  instructions and times; needs valgrind for instructions
# make fuzz   every exact queue against the reference, and OpenQueue; SECONDS each; needs cargo-fuzz and a C++ compiler

CARGO ?= cargo
SECONDS ?= 600

.PHONY: demo test check bench fuzz

demo:
	$(CARGO) run --quiet --release --package forebay-cli -- demo

# The fast ones first: a mistake shows within seconds.
test: check
	$(CARGO) test --workspace
	$(CARGO) xtask follow-docs
	$(CARGO) xtask test-exact
	$(CARGO) run --quiet --release --package forebay-cli -- demo --out target/demo
	$(CARGO) run --quiet --release --package forebay-cli -- repro --all --out target/repro

check:
	$(CARGO) xtask tidy
	@if $(CARGO) clippy --version >/dev/null 2>&1; \
	then $(CARGO) clippy --workspace --all-targets -- --deny warnings; \
	else echo "skipped: clippy is not installed"; $(CARGO) check --workspace --all-targets; fi

bench:
	$(CARGO) bench --package forebay-queues
	$(CARGO) bench --package forebay-engine
	$(CARGO) bench --package forebay-loading
	$(CARGO) bench --package forebay-cli

# Without a sanitizer, stable Rust is enough: what is looked for are wrong answers.
fuzz:
	$(CARGO) check --manifest-path fuzz/Cargo.toml
	@$(CARGO) fuzz --version >/dev/null 2>&1 || { echo "cargo-fuzz is missing; run: cargo install cargo-fuzz"; exit 1; }
	@for target in $(patsubst fuzz/fuzz_targets/%.rs,%,$(wildcard fuzz/fuzz_targets/*.rs)); do \
		$(CARGO) fuzz run --sanitizer none $$target -- -max_total_time=$(SECONDS) -print_final_stats=1 || exit 1; \
	done
