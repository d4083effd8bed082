// Package bench compares this library with its peers. It is a module of its own, so
// that walletfi does not depend on them. The command report measures all of it, and
// writes docs/benchmarks.md:
//
//	cd bench && go run ./report
package bench
