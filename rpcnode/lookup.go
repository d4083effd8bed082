package rpcnode

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

var _ signing.Resolver = (*Client)(nil)

// lookupTableProgram owns all address lookup tables.
var lookupTableProgram = signing.MustPublicKey("AddressLookupTab1e1111111111111111111111111")

// A lookup table's account: u32 kind, u64 slot of deactivation, u64 and u8 of
// the last extension, an optional authority, padding, then the addresses.
const (
	tableHeader       = 56
	tableKind         = 1
	maxTableAddresses = 256
	// A table that is being deactivated still serves for as many slots as the
	// cluster remembers, and no longer.
	deactivationSlots = 513
)

// LookupTable returns what a lookup table holds: getAccountInfo. Entries are only
// ever added, so that an answer is kept for 30 seconds; one that was read too early
// lacks the newest.
//
// An error answers to signing.ErrUnknown if the node does not know the table
// (walletfi.ErrNotFound too), or if its answer cannot be read
// (walletfi.ErrDecode too): a guard then judges as without a resolver. A table
// that was deactivated, or that the lookup table program does not own, is
// walletfi.ErrRejected, so that nothing is signed: its transactions cannot
// execute.
func (c *Client) LookupTable(ctx context.Context, table signing.PublicKey) (signing.LookupTable, error) {
	if addresses, ok := c.tables.get(table); ok {
		return signing.LookupTable{Addresses: slices.Clone(addresses)}, nil
	}
	state, slot, err := c.account(ctx, table, c.settled(), 0)
	if err == nil && state == nil {
		err = fmt.Errorf("rpcnode: lookup table %s: %w", table, walletfi.ErrNotFound)
	}
	if err != nil {
		return signing.LookupTable{}, unknownTo(err)
	}
	addresses, err := readTable(state, slot)
	if err != nil {
		return signing.LookupTable{}, fmt.Errorf("rpcnode: lookup table %s: %w: %w", table, walletfi.ErrRejected, err)
	}
	c.tables.put(table, slices.Clone(addresses))
	return signing.LookupTable{Addresses: addresses}, nil
}

// unknownTo adds what a guard's resolver says of what it cannot read.
func unknownTo(err error) error {
	if errors.Is(err, walletfi.ErrNotFound) || errors.Is(err, walletfi.ErrDecode) {
		return fmt.Errorf("%w: %w", signing.ErrUnknown, err)
	}
	return err
}

// readTable returns the addresses of a table that serves at slot.
func readTable(state *signing.AccountState, slot uint64) ([]signing.PublicKey, error) {
	data := state.Data
	switch {
	case state.Owner != lookupTableProgram:
		return nil, fmt.Errorf("it belongs to program %s", state.Owner)
	case len(data) < tableHeader || binary.LittleEndian.Uint32(data) != tableKind:
		return nil, fmt.Errorf("it is no initialised table")
	case (len(data)-tableHeader)%32 != 0 || len(data) > tableHeader+32*maxTableAddresses:
		return nil, fmt.Errorf("%d bytes are no whole number of addresses up to %d", len(data)-tableHeader, maxTableAddresses)
	}
	deactivated := binary.LittleEndian.Uint64(data[4:])
	if deactivated != math.MaxUint64 && slot > deactivated && slot-deactivated >= deactivationSlots {
		return nil, fmt.Errorf("it was deactivated in slot %d", deactivated)
	}
	addresses := make([]signing.PublicKey, 0, (len(data)-tableHeader)/32)
	for key := range slices.Chunk(data[tableHeader:], 32) {
		addresses = append(addresses, signing.PublicKey(key))
	}
	return addresses, nil
}

// What the cache keeps, and for how long: 256 tables of 8 KiB are 2 MiB.
const (
	tableLife = 30 * time.Second
	maxTables = 256
)
