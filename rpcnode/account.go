package rpcnode

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// maxAccounts is how many accounts a node tells in one call.
const maxAccounts = 100

// account is an account as nodes write it in base64.
type account struct {
	Lamports uint64            `json:"lamports"`
	Owner    signing.PublicKey `json:"owner"`
	Data     []string          `json:"data"` // text, encoding
}

// inContext is a value and the slot that it holds for, 0 if the node does not say.
type inContext[T any] struct {
	Context struct {
		Slot uint64 `json:"slot"`
	} `json:"context"`
	Value T `json:"value"`
}

// known is a member whose null says that there is none, which its absence does
// not.
type known[T any] struct {
	told bool
	it   *T // nil for null
}

// UnmarshalJSON notes that the member is there.
func (k *known[T]) UnmarshalJSON(b []byte) error {
	*k = known[T]{told: true}
	return json.Unmarshal(b, &k.it)
}

var _ signing.AccountReader = (*Client)(nil)

// Accounts returns the states of accounts, in order: getMultipleAccounts, 100 a call.
func (c *Client) Accounts(ctx context.Context, accounts []signing.PublicKey) ([]signing.AccountState, error) {
	return c.AccountsSince(ctx, accounts, 0)
}

// AccountsSince returns the states of accounts, in order, none from before a slot. Those of up to
// 100 accounts are of one moment.
func (c *Client) AccountsSince(
	ctx context.Context, accounts []signing.PublicKey, slot uint64,
) ([]signing.AccountState, error) {
	states, _, err := c.accounts(ctx, accounts, slot)
	return states, err
}

// accounts reads accounts, in order: getMultipleAccounts, 100 a call. slot is
// the oldest at which any was read, and none is read before minSlot.
func (c *Client) accounts(
	ctx context.Context, keys []signing.PublicKey, minSlot uint64,
) (states []signing.AccountState, slot uint64, err error) {
	for part := range slices.Chunk(keys, maxAccounts) {
		answer, err := ask(ctx, c, "getMultipleAccounts", func(a *inContext[[]*account]) bool {
			return len(a.Value) == len(part)
		}, part, notBefore(minSlot, map[string]any{"encoding": "base64", "commitment": c.commitment}))
		if err != nil {
			return nil, 0, err
		}
		if slot == 0 || answer.Context.Slot < slot {
			slot = answer.Context.Slot
		}
		if states, err = appendStates(states, answer.Value, "getMultipleAccounts"); err != nil {
			return nil, 0, err
		}
	}
	return states, slot, nil
}

// notBefore adds to a call's config that a node must have reached a slot.
func notBefore(minSlot uint64, config map[string]any) map[string]any {
	if minSlot > 0 {
		config["minContextSlot"] = minSlot
	}
	return config
}

// account reads one account, nil if there is none, and the slot at which it
// was read, not before minSlot: getAccountInfo.
func (c *Client) account(
	ctx context.Context, key signing.PublicKey, commitment rpc.CommitmentType, minSlot uint64,
) (*signing.AccountState, uint64, error) {
	answer, err := ask(ctx, c, "getAccountInfo", func(a *inContext[known[account]]) bool {
		return a.Value.told
	}, key, notBefore(minSlot, map[string]any{"encoding": "base64", "commitment": commitment}))
	switch {
	case err != nil:
		return nil, 0, err
	case answer.Value.it == nil:
		return nil, answer.Context.Slot, nil
	}
	state, err := answer.Value.it.state()
	if err != nil {
		return nil, 0, &Error{Method: "getAccountInfo", Message: err.Error(), Kind: walletfi.ErrDecode}
	}
	return &state, answer.Context.Slot, nil
}

func appendStates(states []signing.AccountState, accounts []*account, method string) ([]signing.AccountState, error) {
	for _, a := range accounts {
		state, err := a.state()
		if err != nil {
			return nil, &Error{Method: method, Message: err.Error(), Kind: walletfi.ErrDecode}
		}
		states = append(states, state)
	}
	return states, nil
}

// state is all zero for an account that does not exist.
func (a *account) state() (s signing.AccountState, err error) {
	if a == nil {
		return s, nil
	}
	if len(a.Data) != 2 || a.Data[1] != "base64" {
		return s, fmt.Errorf("an account's data is not in base64")
	}
	s = signing.AccountState{Lamports: walletfi.Amount(a.Lamports), Owner: a.Owner}
	if s.Data, err = base64.StdEncoding.DecodeString(a.Data[0]); err != nil {
		return s, fmt.Errorf("an account's data is not in base64")
	}
	return s, nil
}
