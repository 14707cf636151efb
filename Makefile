# make demo   what forebay does, on an embedded recording
# make test   everything that must hold; installs nothing but crates
# make check  what is quick: formatting, lints, house rules
# make bench  instructions and times; needs valgrind for instructions

CARGO ?= cargo

.PHONY: demo test check bench

demo:
	$(CARGO) run --quiet --release --package forebay-cli -- demo

# The fast ones first: a mistake shows within seconds.
test: check
	$(CARGO) test --workspace
	$(CARGO) xtask follow-docs
	$(CARGO) run --quiet --release --package forebay-cli -- demo --out target/demo

check:
	$(CARGO) xtask tidy
	@if $(CARGO) clippy --version >/dev/null 2>&1; \
	then $(CARGO) clippy --workspace --all-targets -- --deny warnings; \
	else echo "skipped: clippy is not installed"; $(CARGO) check --workspace --all-targets; fi

bench:
	$(CARGO) bench --package forebay-queues
	$(CARGO) bench --package forebay-cli
