// Package txwire reads the bytes of a serialised transaction: legacy, v0 and
// v1. It is the only parser of the module. Package walletfi finds a
// transaction's signature with it, package signing checks and signs by the
// offsets that it leaves. So nothing can be one transaction to the code that
// checks it and another to the code that signs or names it.
//
//	t := txwire.Transaction{Raw: b}
//	if faults := t.Parse(); faults != nil {
//		return faults
//	}
//	first := t.Slot(0)
//
// Parse is strict and allocates nothing for a well-formed transaction. The
// views that Transaction returns share its bytes.
package txwire
