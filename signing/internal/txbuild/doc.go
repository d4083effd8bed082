// Package txbuild writes transactions byte by byte, for tests: whole ones in
// each of the three formats, with lookup tables and configuration, from
// instructions that read like what they do. It knows nothing of package
// signing, so that a mistake there cannot hide behind the same mistake here.
package txbuild
