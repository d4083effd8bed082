package signing_test

import (
	"context"

	"github.com/walletfi/walletfi-go/signing"
)

func (r *reading) LookupTable(_ context.Context, table pk) (signing.LookupTable, error) {
	if r.err != nil {
		return signing.LookupTable{}, r.err
	}
	held, ok := r.tables[table]
	if !ok {
		return signing.LookupTable{}, signing.ErrUnknown
	}
	return signing.LookupTable{Addresses: held}, nil
}

func (r *reading) Accounts(_ context.Context, accounts []pk) ([]state, error) {
	if r.err != nil {
		return nil, r.err
	}
	out := make([]state, len(accounts))
	for i, k := range accounts {
		out[i] = r.accounts[k]
	}
	return out, nil
}

func (w twisted) Simulate(ctx context.Context, r signing.SimulationRequest) (*signing.Simulation, error) {
	s, err := w.of.Simulate(ctx, r)
	if err == nil {
		w.change(s)
	}
	return s, err
}
