// Package program knows the programs that the guard has rules for: their
// addresses, their instructions as bytes, the addresses that they derive and
// what their accounts cost. It judges nothing.
package program
