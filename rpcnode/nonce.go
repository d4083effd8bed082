package rpcnode

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
)

// DurableNonce is the content of a nonce account. A transaction whose blockhash is
// Value, and whose first instruction advances the account, lands whenever it is
// sent until the nonce is advanced.
type DurableNonce struct {
	Account              signing.PublicKey
	Authority            signing.PublicKey // may advance it
	Value                signing.PublicKey // used as the blockhash
	LamportsPerSignature walletfi.Amount   // when it was last advanced
}

// Nonce returns n as signing.WithNonce takes it.
func (n DurableNonce) Nonce() signing.Nonce {
	return signing.Nonce{Account: n.Account, Value: n.Value}
}

// A nonce account: u32 version, u32 state, authority, value, u64 fee.
const (
	nonceSize        = 80
	nonceVersion     = 1 // the version before it can no longer be advanced
	nonceInitialised = 1
)

// DurableNonce reads a nonce account: getAccountInfo. One that does not exist
// is walletfi.ErrNotFound, one that cannot serve as a nonce
// walletfi.ErrRejected.
func (c *Client) DurableNonce(ctx context.Context, account signing.PublicKey) (*DurableNonce, error) {
	nonce, _, err := c.nonceAt(ctx, account, c.settled(), 0)
	return nonce, err
}

func (c *Client) nonceAt(
	ctx context.Context, account signing.PublicKey, commitment rpc.CommitmentType, minSlot uint64,
) (*DurableNonce, uint64, error) {
	state, slot, err := c.account(ctx, account, commitment, minSlot)
	if err != nil {
		return nil, 0, err
	}
	if state == nil {
		return nil, 0, fmt.Errorf("rpcnode: nonce account %s: %w", account, walletfi.ErrNotFound)
	}
	nonce, err := readNonce(state)
	if err != nil {
		return nil, 0, fmt.Errorf("rpcnode: nonce account %s: %w: %w", account, walletfi.ErrRejected, err)
	}
	nonce.Account = account
	return nonce, slot, nil
}

func readNonce(state *signing.AccountState) (*DurableNonce, error) {
	data := state.Data
	switch {
	case state.Owner != signing.SystemProgram:
		return nil, fmt.Errorf("it belongs to program %s", state.Owner)
	case len(data) != nonceSize:
		return nil, fmt.Errorf("%d bytes are no nonce account", len(data))
	case binary.LittleEndian.Uint32(data) != nonceVersion:
		return nil, fmt.Errorf("version %d is not in use", binary.LittleEndian.Uint32(data))
	case binary.LittleEndian.Uint32(data[4:]) != nonceInitialised:
		return nil, fmt.Errorf("it is not initialised")
	}
	return &DurableNonce{
		Authority: signing.PublicKey(data[8:40]), Value: signing.PublicKey(data[40:72]),
		LamportsPerSignature: walletfi.Amount(binary.LittleEndian.Uint64(data[72:])),
	}, nil
}

// NonceAt returns the value of a durable nonce, base58, in a finalized block at a slot not
// before minSlot: getAccountInfo.
func (c *Client) NonceAt(ctx context.Context, account string, minSlot uint64) (walletfi.NonceState, error) {
	state, err := c.nonceValue(ctx, account, rpc.CommitmentFinalized, minSlot)
	switch slot := state.AsOfSlot; {
	case err != nil:
		return walletfi.NonceState{}, err
	case slot == 0:
		return walletfi.NonceState{}, incomplete("getAccountInfo")
	case slot < minSlot:
		return walletfi.NonceState{}, contradicts("getAccountInfo", "the answer is of slot %d, before %d", slot, minSlot)
	}
	return state, nil
}

func (c *Client) nonceValue(
	ctx context.Context, account string, commitment rpc.CommitmentType, minSlot uint64,
) (walletfi.NonceState, error) {
	key, err := signing.ParsePublicKey(account)
	if err != nil {
		return walletfi.NonceState{}, badAccount()
	}
	nonce, slot, err := c.nonceAt(ctx, key, commitment, minSlot)
	if err != nil {
		return walletfi.NonceState{}, err
	}
	return walletfi.NonceState{Value: nonce.Value.String(), AsOfSlot: slot}, nil
}

// maxUses is how many transactions of a nonce's history are looked at.
const maxUses = 200

// use is a value of a durable nonce and its account; zero if a transaction uses none.
type use struct{ account, value signing.PublicKey }

// NonceUse looks through a nonce account's newest 200 transactions, after the slot since and
// up to the slot until, for the one that advanced it from a value, base58:
// getSignaturesForAddress of a node that has reached until, and getTransaction for each that
// was not read before. If none did, Changed is the block of the first that advanced the
// account in a transaction on another value or on a blockhash, and succeeded: getBlock. One
// that mentions the account and uses another with the same value is not it.
func (c *Client) NonceUse(
	ctx context.Context, account, value string, since, until uint64,
) (found walletfi.NonceUse, err error) {
	key, err := signing.ParsePublicKey(account)
	if err != nil {
		return walletfi.NonceUse{}, badAccount()
	}
	page, err := c.history(ctx, key, nil, until, maxUses, rpc.CommitmentFinalized)
	if err != nil {
		return walletfi.NonceUse{}, err
	}
	var failure error
	for _, e := range slices.Backward(page) {
		if *e.Slot <= since || *e.Slot > until {
			continue
		}
		used, err := insist(ctx, c, repeats, func() (use, error) { return c.useIn(ctx, *e.Signature) })
		switch {
		case err != nil:
			failure = cmp.Or(failure, err)
		case used.account == key && used.value.String() == value:
			return walletfi.NonceUse{Signature: e.Signature.String()}, nil
		case used.account == key && found.Changed.Slot == 0 && e.Err.told && e.Err.it == nil:
			found.Changed.Slot = *e.Slot
		}
	}
	if found.Changed.Slot == 0 {
		return walletfi.NonceUse{}, failure
	}
	b, err := c.sureBlock(ctx, found.Changed.Slot, true)
	if err != nil {
		return walletfi.NonceUse{}, err
	}
	return walletfi.NonceUse{Changed: b.Head}, nil
}

// useIn is the nonce that a transaction used.
func (c *Client) useIn(ctx context.Context, signature solana.Signature) (used use, err error) {
	if used, ok := c.nonceUses.get(signature); ok {
		return used, nil
	}
	raw, err := c.transaction(ctx, signature, rpc.CommitmentFinalized, walletfi.ErrDecode)
	if err != nil {
		return used, err
	}
	tx, err := signing.DecodeBytes(raw)
	if err != nil {
		return used, nil // in a form that cannot be ours
	}
	if !signing.Signature(signature).Verify(tx.FeePayer(), tx.Message()) {
		return used, contradicts("getTransaction", "the answer is not transaction %s", signature)
	}
	if account, ok := proof.NonceAccount(raw); ok {
		used = use{signing.PublicKey(account), tx.Blockhash()}
	}
	c.nonceUses.put(signature, used)
	return used, nil
}

func badAccount() error {
	return &walletfi.ValidationError{Field: "account", Problem: "must be the base58 of 32 bytes"}
}
