// Package txbuild writes transactions byte by byte, for tests: whole ones in
// each of the three formats, with lookup tables and configuration, from
// instructions that read like what they do. It knows nothing of package
// signing, so that the same mistake in both cannot hide.
package txbuild
