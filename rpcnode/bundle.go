package rpcnode

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

var _ signing.SetSimulator = (*Client)(nil)

// bundlesOffLife is how long a node that has no simulateBundle is not asked again.
const bundlesOffLife = 10 * time.Minute

type bundleAnswer = inContext[*bundle]

type bundle struct {
	Summary json.RawMessage   `json:"summary"` // "succeeded", or an object that says what failed
	Results []bundleSimulated `json:"transactionResults"`
}

type bundleSimulated struct {
	Err    json.RawMessage `json:"err"`
	Before []*account      `json:"preExecutionAccounts"`
	After  []*account      `json:"postExecutionAccounts"`
	Units  units           `json:"unitsConsumed"`
}

// SimulateAfter runs a transaction after earlier ones, on what they leave, without
// landing any: simulateBundle, a method of nodes of the Jito kind that few providers
// offer. The node sees all of the transactions, before they are sent. Signatures are not
// verified, and blockhashes are replaced as by [Client.Simulate].
//
// An error answers to [signing.ErrUnknown] if the node has no such method, or refuses a
// bundle of this kind; one that has none is asked again after ten minutes. If an earlier
// transaction would fail, so would the set: Err of the simulation says so.
//
// These nodes tell the states of accounts, and no inner instructions:
// [signing.Simulation.StatesOnly].
func (c *Client) SimulateAfter(
	ctx context.Context, earlier []*signing.Transaction, r signing.SimulationRequest,
) (*signing.Simulation, error) {
	if r.Transaction == nil || slices.Contains(earlier, nil) {
		return nil, &walletfi.ValidationError{Field: "transaction", Problem: "is required"}
	}
	if len(earlier) == 0 {
		return c.Simulate(ctx, r)
	}
	if err, off := c.bundlesOff.get(struct{}{}); off {
		return nil, err
	}
	set := append(slices.Clone(earlier), r.Transaction)
	answer, err := ask(ctx, c, "simulateBundle", func(a *bundleAnswer) bool {
		return a.Value != nil && a.Value.Summary != nil
	}, map[string]any{"encodedTransactions": bundled(set)}, c.bundleConfig(set, r.Accounts))
	if errors.Is(err, walletfi.ErrInvalidRequest) || errors.Is(err, walletfi.ErrForbidden) {
		err = fmt.Errorf("%w: %w", signing.ErrUnknown, err)
	}
	if refusedWith(err, codeMethodNotFound) {
		c.bundlesOff.put(struct{}{}, err)
	}
	if err != nil {
		return nil, err
	}
	return answer.Value.last(len(set), len(r.Accounts), answer.Context.Slot)
}

// bundleConfig asks for accounts around the last transaction of a set.
func (c *Client) bundleConfig(set []*signing.Transaction, accounts []signing.PublicKey) map[string]any {
	watched := make([]any, len(set))
	watched[len(set)-1] = map[string]any{"encoding": "base64", "addresses": append([]signing.PublicKey{}, accounts...)}
	return map[string]any{
		"preExecutionAccountsConfigs": watched, "postExecutionAccountsConfigs": watched,
		"transactionEncoding": "base64", "skipSigVerify": true,
		"replaceRecentBlockhash": !slices.ContainsFunc(set, livesByNonce),
		"simulationBank":         map[string]any{"commitment": map[string]any{"commitment": c.commitment}},
	}
}

// bundled encodes a set. A node refuses two transactions with the same signature, so that
// those without one get a number in its place.
func bundled(set []*signing.Transaction) (encoded []string) {
	for i, tx := range set {
		raw := tx.Bytes()
		if tx.Signature() == (signing.Signature{}) {
			first := 1 // after their count
			if tx.Version() == signing.V1 {
				first = len(tx.Message())
			}
			binary.BigEndian.PutUint64(raw[first:], uint64(i+1))
		}
		encoded = append(encoded, base64.StdEncoding.EncodeToString(raw))
	}
	return encoded
}

// last is the simulation of the last transaction of so many.
func (b *bundle) last(transactions, accounts int, slot uint64) (*signing.Simulation, error) {
	const method = "simulateBundle"
	s := &signing.Simulation{Slot: slot, StatesOnly: true}
	for i := range b.Results {
		text := string(b.Results[i].Err)
		if text == "" || text == "null" {
			continue
		}
		if s.Err = text; i < transactions-1 {
			s.Err = fmt.Sprintf("transaction %d, before it, would fail: %s", i+1, text)
		}
		s.Before, s.After = make([]signing.AccountState, accounts), make([]signing.AccountState, accounts)
		return s, nil
	}
	if string(b.Summary) != `"succeeded"` {
		return nil, fmt.Errorf("%w: %w", signing.ErrUnknown, &Error{
			Method: method, Message: fmt.Sprintf("it was not run: %.200s", b.Summary), Kind: walletfi.ErrRejected,
		})
	}
	if len(b.Results) != transactions {
		return nil, incomplete(method)
	}
	result := &b.Results[transactions-1]
	if len(result.Before) != accounts || len(result.After) != accounts {
		return nil, incomplete(method)
	}
	s.Units = uint64(result.Units)
	var err error
	if s.Before, err = appendStates(nil, result.Before, method); err != nil {
		return nil, err
	}
	s.After, err = appendStates(nil, result.After, method)
	return s, err
}
