// Package hold holds a signing guard against the cases of a corpus: it turns
// their plain data into a policy, options, a resolver and a simulator.
package hold

import (
	"bytes"
	"context"
	"errors"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest/corpus"
)

// Guard returns a guard that was told what a case's caller knows.
func Guard(c corpus.Case) *signing.Guard { return signing.NewGuard(Policy(c)) }

// Policy returns the policy of the guard in a case.
func Policy(c corpus.Case) signing.Policy {
	p := signing.Policy{
		Pins: map[string][]signing.PublicKey{}, Keys: keys(c.Policy.Keys), Protected: keys(c.Policy.Protected),
		Sponsors: keys(c.Policy.Sponsors), CoSigners: keys(c.Policy.CoSigners), Delegates: keys(c.Policy.Delegates),
		LateCoSigners: c.Policy.LateCoSigners, Mints: keys(c.Policy.Mints), AllowBlind: c.Policy.AllowBlind,
	}
	for service, programs := range c.Policy.Pins {
		p.Pins[service] = keys(programs)
	}
	p.TypedPins = typed(c.Policy.TypedPins)
	for _, a := range c.Policy.Accounts {
		p.Accounts = append(p.Accounts, signing.OwnAccount{Address: a.Address, Mint: a.Mint})
	}
	if c.Policy.Tables != nil {
		p.Resolver = resolver(c.Policy.Tables)
	}
	if c.Policy.Fees != nil {
		p.Resolver = mintReader{resolver(c.Policy.Tables), c.Policy.Fees}
	}
	switch {
	case c.Policy.Simulations == nil:
	case c.Policy.Alone:
		p.Simulator = simulator{c}
	default:
		p.Simulator = setSimulator{simulator{c}}
	}
	return p
}

// Options are what a case's caller knows in addition to Unsigned.
func Options(c corpus.Case) []signing.Option {
	var options []signing.Option
	if c.BlockHeight > 0 {
		options = append(options, signing.AtBlockHeight(c.BlockHeight))
	}
	if c.Nonce != nil {
		options = append(options, signing.WithNonce(signing.Nonce{Account: c.Nonce.Account, Value: c.Nonce.Value}))
	}
	return options
}

func typed(from map[string][]corpus.Pin) map[string][]signing.Pin {
	to := map[string][]signing.Pin{}
	for service, pins := range from {
		for _, p := range pins {
			pin := signing.Pin{Program: p.Program}
			for _, d := range p.Instructions {
				pin.Instructions = append(pin.Instructions, d)
			}
			for _, role := range p.MayWrite {
				pin.MayWrite = append(pin.MayWrite, signing.Role(role))
			}
			to[service] = append(to[service], pin)
		}
	}
	return to
}

func keys(from []corpus.Key) []signing.PublicKey {
	var to []signing.PublicKey
	for _, k := range from {
		to = append(to, k)
	}
	return to
}

type resolver map[corpus.Key][]corpus.Key

// LookupTable answers from the case.
func (r resolver) LookupTable(_ context.Context, table signing.PublicKey) (signing.LookupTable, error) {
	held, ok := r[table]
	if !ok {
		return signing.LookupTable{}, signing.ErrUnknown
	}
	return signing.LookupTable{Addresses: keys(held)}, nil
}

// mintReader is a resolver that reads mints, too.
type mintReader struct {
	resolver
	fees map[corpus.Key]corpus.Fee
}

// TransferFee answers from the case.
func (m mintReader) TransferFee(_ context.Context, mint signing.PublicKey) (signing.TransferFee, error) {
	fee, ok := m.fees[mint]
	if !ok {
		return signing.TransferFee{}, signing.ErrUnknown
	}
	return signing.TransferFee{BasisPoints: fee.BasisPoints, Most: walletfi.Amount(fee.Most)}, nil
}

type simulator struct{ corpus.Case }

// Simulate answers what the case says of the transaction.
func (s simulator) Simulate(_ context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	for i, encoded := range s.Unsigned.Transactions {
		tx, err := signing.Decode(encoded)
		if err == nil && bytes.Equal(tx.Bytes(), r.Transaction.Bytes()) && i < len(s.Policy.Simulations) {
			return simulation(s.Policy.Simulations[i], r.Accounts), nil
		}
	}
	return nil, errors.New("a transaction that the case does not have")
}

// setSimulator is a simulator whose answers are those of the set in order.
type setSimulator struct{ simulator }

// SimulateAfter answers what the case says of the transaction.
func (s setSimulator) SimulateAfter(
	ctx context.Context, _ []*signing.Transaction, r signing.SimulationRequest,
) (*signing.Simulation, error) {
	return s.Simulate(ctx, r)
}

const solana = 1_000_000_000 // lamports

func simulation(m corpus.Simulation, accounts []signing.PublicKey) *signing.Simulation {
	answer := &signing.Simulation{Err: m.Err, StatesOnly: m.StatesOnly}
	for _, k := range accounts {
		answer.Before = append(answer.Before, state(m.Before[k]))
		answer.After = append(answer.After, state(m.After[k]))
	}
	if _, told := m.Before[accounts[0]]; !told && answer.After[0].Lamports == 0 { // the fee payer can pay
		answer.Before[0].Lamports, answer.After[0].Lamports = solana, solana-5000
	}
	for _, i := range m.Inner {
		answer.Inner = append(answer.Inner, signing.InnerInstruction{
			Outer:    i.Outer,
			Program:  i.Program,
			Accounts: keys(i.Accounts),
			Data:     i.Data,
		})
	}
	return answer
}

func state(s corpus.State) signing.AccountState {
	return signing.AccountState{Lamports: walletfi.Amount(s.Lamports), Owner: s.Owner, Data: s.Data}
}
