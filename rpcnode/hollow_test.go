package rpcnode_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

// hollowResults say nothing, whatever they are asked for.
var hollowResults = []string{
	`null`, `{}`, `[]`, `""`, `{"context":{"slot":9}}`, `{"context":{"slot":9},"value":[]}`, `{"context":{"slot":9},"value":{}}`,
	`{"context":{"slot":9},"value":[{}]}`, `{"context":{"slot":9},"value":[null,null]}`, `{"error":"upstream timed out"}`,
}

// TestHollowResults: a node that says nothing is not understood, whatever it was
// asked.
func TestHollowResults(t *testing.T) {
	signature, blockhash := solana.Signature{7}.String(), solana.Hash{7}.String()
	for name, call := range map[string]func(context.Context, *rpcnode.Client) error{
		"SignatureStatus": func(ctx context.Context, c *rpcnode.Client) error {
			status, err := c.SignatureStatus(ctx, signature)
			require.Zero(t, status)
			return err
		},
		"SignatureStatuses": func(ctx context.Context, c *rpcnode.Client) error {
			got, err := c.SignatureStatuses(ctx, []string{signature})
			require.Nil(t, got.Statuses)
			require.Zero(t, got.AsOfSlot)
			return err
		},
		"BlockHeight": func(ctx context.Context, c *rpcnode.Client) error {
			height, err := c.BlockHeight(ctx)
			require.Zero(t, height)
			return err
		},
		"Head": func(ctx context.Context, c *rpcnode.Client) error {
			head, err := c.Head(ctx)
			require.Zero(t, head.Slot)
			require.Zero(t, head.Height)
			return err
		},
		"FinalTime": func(ctx context.Context, c *rpcnode.Client) error {
			at, err := c.FinalTime(ctx, 7)
			require.Zero(t, at)
			return err
		},
		"RecentFees": func(ctx context.Context, c *rpcnode.Client) error {
			_, err := c.RecentFees(ctx, nil)
			return err
		},
		"LatestBlockhash": func(ctx context.Context, c *rpcnode.Client) error {
			_, _, err := c.LatestBlockhash(ctx)
			return err
		},
		"BlockhashValid": func(ctx context.Context, c *rpcnode.Client) error {
			_, err := c.BlockhashValid(ctx, blockhash)
			return err
		},
		"LookupTable": func(ctx context.Context, c *rpcnode.Client) error {
			_, err := c.LookupTable(ctx, signing.PublicKey{7})
			return err
		},
		"DurableNonce": func(ctx context.Context, c *rpcnode.Client) error {
			_, err := c.DurableNonce(ctx, signing.PublicKey{7})
			return err
		},
		"Simulate": func(ctx context.Context, c *rpcnode.Client) error {
			tx, err := signing.Decode(signedOffline(t).Transaction)
			require.NoError(t, err)
			_, err = c.Simulate(ctx, signing.SimulationRequest{Transaction: tx})
			return err
		},
	} {
		for _, result := range hollowResults {
			for _, answer := range []string{`{"jsonrpc":"2.0","id":1,"result":` + result + `}`, result} {
				node := onFake(t, func(w http.ResponseWriter, _ string, _ []json.RawMessage) { fmt.Fprint(w, answer) })
				err := call(t.Context(), node)
				require.ErrorIs(t, err, walletfi.ErrDecode, "%s: %s", name, answer)
				require.NotErrorIs(t, err, walletfi.ErrNotFound)
			}
		}
	}
}

// TestHollowSubmit: whether the node passed the transaction on is not known.
func TestHollowSubmit(t *testing.T) {
	tx := signedOffline(t)
	for _, result := range hollowResults {
		node := onFake(t, func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":%s}`, result)
		})
		_, err := node.Submit(t.Context(), tx)
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, result)
	}
}

// TestStatusNotWhole: without an error, or a null in its place, nobody says that
// the transaction succeeded.
func TestStatusNotWhole(t *testing.T) {
	for value, whole := range map[string]bool{
		`{"slot":5,"confirmations":null,"err":null,"confirmationStatus":"finalized"}`: true,
		`{"slot":5,"err":null,"confirmationStatus":"finalized"}`:                      true,
		`{"slot":5,"confirmations":3,"err":null}`:                                     true,
		`{"slot":5,"confirmations":null,"confirmationStatus":"finalized"}`:            false,
		`{"confirmations":null,"err":null,"confirmationStatus":"finalized"}`:          false,
		`{"slot":null,"err":null,"confirmationStatus":"finalized"}`:                   false,
		`{"slot":5,"err":null}`:                        false,
		`{"slot":"x","err":null,"confirmations":null}`: false,
	} {
		node := onFake(t, func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9},"value":[%s]}}`, value)
		})
		status, err := node.SignatureStatus(t.Context(), solana.Signature{7}.String())
		if whole {
			require.NoError(t, err, value)
			require.True(t, status.Found)
			continue
		}
		require.ErrorIs(t, err, walletfi.ErrDecode, value)
		require.Equal(t, walletfi.SignatureStatus{}, status)
		got, err := node.SignatureStatuses(t.Context(), []string{solana.Signature{7}.String()})
		require.ErrorIs(t, err, walletfi.ErrDecode, value)
		require.Nil(t, got.Statuses)
		require.Zero(t, got.AsOfSlot)
	}
}
