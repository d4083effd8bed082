package signer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

// RPC is a Node that is spoken to over JSON-RPC.
type RPC struct {
	*rpcnode.Client
	cfg  rpcnode.Config
	http *http.Client
}

var _ Node = (*RPC)(nil)

// NewRPC checks cfg and returns a node. It opens no connection. What cfg says of limits, observers
// and clocks does not hold for History and Transaction.
func NewRPC(cfg rpcnode.Config) (*RPC, error) {
	c, err := rpcnode.New(cfg)
	return &RPC{c, cfg, cmp.Or(cfg.HTTPClient, &http.Client{Timeout: 3 * nodeTimeout})}, err
}

// The bounds of a history: the most that a node lists at once, and how often it is asked.
const (
	historyPage  = 1000
	historyPages = 10
)

// History lists an address's history as Node says: getSignaturesForAddress. More than 10,000
// transactions are an error.
func (n *RPC) History(ctx context.Context, address signing.PublicKey, since, until uint64) (all []string, err error) {
	type entry struct {
		Signature string `json:"signature"`
		Slot      uint64 `json:"slot"`
	}
	var last []entry
	for range historyPages {
		config := map[string]any{"limit": historyPage, "commitment": "finalized", "minContextSlot": until}
		if last != nil { // a node that does not know a signature lists nothing, which looks like the end
			config["before"] = last[historyPage-2].Signature
		}
		var page []entry
		if err := n.call(ctx, &page, "getSignaturesForAddress", address, config); err != nil {
			return nil, err
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
				all = append(all, e.Signature)
			}
		}
		if len(page) < historyPage {
			return all, nil
		}
		last = page[:historyPage]
	}
	return nil, fmt.Errorf("signer: %s has more than %d transactions since slot %d",
		address, historyPage*historyPages, since)
}

// Transaction reads the bytes of a finalized transaction: getTransaction.
func (n *RPC) Transaction(ctx context.Context, signature string) ([]byte, error) {
	const newest = 1 // of the versions that package signing reads
	var got struct {
		Transaction []string `json:"transaction"` // the second is the name of the encoding
	}
	err := n.call(ctx, &got, "getTransaction", signature, map[string]any{
		"encoding": "base64", "commitment": "finalized", "maxSupportedTransactionVersion": newest,
	})
	if err == nil && len(got.Transaction) == 0 {
		err = walletfi.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(got.Transaction[0])
}

// call asks the node. No error has its URL, which may hold a key.
func (n *RPC) call(ctx context.Context, into any, method string, params ...any) error {
	const most = 64 << 20
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, n.cfg.URL.Reveal(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("signer: %s: the URL", method)
	}
	q.Header.Set("Content-Type", "application/json")
	for name, value := range n.cfg.Header {
		q.Header.Set(name, value.Reveal())
	}
	resp, err := n.http.Do(q)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("signer: %s: %w", method, failed.Err)
	}
	defer resp.Body.Close()
	var answer struct {
		Result json.RawMessage `json:"result"`
		Error  *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	err = json.NewDecoder(io.LimitReader(resp.Body, most)).Decode(&answer)
	switch {
	case answer.Error != nil:
		return fmt.Errorf("signer: %s: %d %.200s", method, answer.Error.Code, answer.Error.Message)
	case err != nil || resp.StatusCode != http.StatusOK || answer.Result == nil:
		return fmt.Errorf("signer: %s: status %d is no answer: %w", method, resp.StatusCode, walletfi.ErrDecode)
	}
	return json.Unmarshal(answer.Result, into)
}
