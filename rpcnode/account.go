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

type slotContext struct {
	Slot uint64 `json:"slot"`
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

type accountsAnswer struct {
	Context slotContext `json:"context"`
	Value   []*account  `json:"value"`
}

// accounts reads accounts, in order: getMultipleAccounts, 100 a call. slot is
// the oldest at which any was read, and none is read before minSlot.
func (c *Client) accounts(ctx context.Context, keys []signing.PublicKey, minSlot uint64) (states []signing.AccountState, slot uint64, err error) {
	for part := range slices.Chunk(keys, maxAccounts) {
		config := map[string]any{"encoding": "base64", "commitment": c.commitment}
		if minSlot > 0 {
			config["minContextSlot"] = minSlot
		}
		var answer *accountsAnswer
		err := c.read(ctx, func() error {
			answer = nil
			return c.rpc.RPCCallForInto(ctx, &answer, "getMultipleAccounts", []any{part, config})
		})
		if err != nil {
			return nil, 0, err
		}
		if answer == nil || len(answer.Value) != len(part) {
			return nil, 0, incomplete("getMultipleAccounts")
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

// account reads one account, nil if there is none, and the slot at which it
// was read: getAccountInfo.
func (c *Client) account(
	ctx context.Context, key signing.PublicKey, commitment rpc.CommitmentType,
) (*signing.AccountState, uint64, error) {
	config := map[string]any{"encoding": "base64", "commitment": commitment}
	var answer *struct {
		Context slotContext    `json:"context"`
		Value   known[account] `json:"value"`
	}
	err := c.read(ctx, func() error {
		answer = nil
		return c.rpc.RPCCallForInto(ctx, &answer, "getAccountInfo", []any{key, config})
	})
	switch {
	case err != nil:
		return nil, 0, err
	case answer == nil || !answer.Value.told:
		return nil, 0, incomplete("getAccountInfo")
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
	s = signing.AccountState{Lamports: a.Lamports, Owner: a.Owner}
	if s.Data, err = base64.StdEncoding.DecodeString(a.Data[0]); err != nil {
		return s, fmt.Errorf("an account's data is not in base64")
	}
	return s, nil
}
