//go:build !linux

package program

// harden does nothing here.
func harden() error { return nil }
