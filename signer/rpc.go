package signer

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

// RPC is a Node that is spoken to over JSON-RPC.
type RPC struct {
	*rpcnode.Client
	rpc *rpc.Client
}

var _ Node = (*RPC)(nil)

// NewRPC checks cfg and returns a node. It opens no connection. What cfg says of headers, limits and
// observers does not hold for History and Transaction.
func NewRPC(cfg rpcnode.Config) (*RPC, error) {
	c, err := rpcnode.New(cfg)
	if err != nil {
		return nil, err
	}
	headers := map[string]string{}
	for name, value := range cfg.Header {
		headers[name] = value.Reveal()
	}
	return &RPC{c, rpc.NewWithHeaders(cfg.URL.Reveal(), headers)}, nil
}

// The bounds of a history: the most that a node lists at once, and how often it is asked.
const (
	historyPage  = 1000
	historyPages = 10
)

// History lists an address's history as Node says: getSignaturesForAddress. More than 10,000
// transactions are an error.
func (n *RPC) History(ctx context.Context, address signing.PublicKey, since, until uint64) (all []string, err error) {
	var last []*rpc.TransactionSignature
	for range historyPages {
		opts := &rpc.GetSignaturesForAddressOpts{
			Limit: new(historyPage), Commitment: rpc.CommitmentFinalized, MinContextSlot: &until,
		}
		if last != nil { // a node that does not know a signature lists nothing, which looks like the end
			opts.Before = last[historyPage-2].Signature
		}
		page, err := n.rpc.GetSignaturesForAddressWithOpts(ctx, solana.PublicKey(address), opts)
		if err != nil {
			return nil, bare("getSignaturesForAddress", err)
		}
		rest := page
		if last != nil {
			if len(page) == 0 || page[0].Signature != last[historyPage-1].Signature {
				return nil, errors.New("signer: the history's pages do not meet")
			}
			rest = page[1:]
		}
		for _, e := range rest {
			if e.Slot <= since {
				return all, nil
			}
			if e.Slot <= until {
				all = append(all, e.Signature.String())
			}
		}
		if len(page) < historyPage {
			return all, nil
		}
		last = page
	}
	return nil, fmt.Errorf("signer: %s has more than %d transactions since slot %d",
		address, historyPage*historyPages, since)
}

// Transaction reads the bytes of a finalized transaction: getTransaction.
func (n *RPC) Transaction(ctx context.Context, signature string) ([]byte, error) {
	s, err := solana.SignatureFromBase58(signature)
	if err != nil {
		return nil, err
	}
	const newest = 1 // of the versions that package signing reads
	got, err := n.rpc.GetTransaction(ctx, s, &rpc.GetTransactionOpts{
		Encoding: solana.EncodingBase64, Commitment: rpc.CommitmentFinalized,
		MaxSupportedTransactionVersion: rpc.NewTransactionVersion(newest),
	})
	switch {
	case err != nil:
		return nil, bare("getTransaction", err)
	case got == nil || got.Transaction == nil:
		return nil, walletfi.ErrNotFound
	}
	return got.Transaction.GetBinary(), nil
}

// bare is an error without the node's URL, which may hold a key.
func bare(method string, err error) error {
	if told, ok := errors.AsType[*jsonrpc.RPCError](err); ok {
		return fmt.Errorf("signer: %s: %d %.200s", method, told.Code, told.Message)
	}
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("signer: %s: %w", method, failed.Err)
	}
	return fmt.Errorf("signer: %s: %w", method, walletfi.ErrUnavailable)
}
