// Package echo holds every call to its request: each member that an answer repeats is
// given another value, and the call must end with walletfi.ErrMismatch. Which members of
// a request an answer repeats is in testdata/table.txt. A pair of members of one name or
// of one value that the table lacks fails the test, and so does a call without a row.
package echo
