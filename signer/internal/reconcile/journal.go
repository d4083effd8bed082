package reconcile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/walletfi/walletfi-go/wallet"
)

// Journal reads the payments of a wallet's journal that are of owners, known by their keys: of a file of
// wallet.FileJournal, or of entries as JSON, one after another.
func Journal(ctx context.Context, path string, owners map[string]bool) (all []wallet.Entry, err error) {
	take := func(e wallet.Entry) {
		if e.Ledger == nil && e.Spend == nil && owners[e.Asked.Owner] {
			all = append(all, e)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if start := bytes.TrimSpace(text); len(start) == 0 || start[0] == '{' {
		entries := json.NewDecoder(bytes.NewReader(text))
		for {
			var e wallet.Entry
			if err := entries.Decode(&e); errors.Is(err, io.EOF) {
				return all, nil
			} else if err != nil {
				return nil, err
			}
			if e.Key == "" || e.Schema > wallet.Schema {
				return nil, errors.New("it has what is no entry of a journal, or of a newer version")
			}
			take(e)
		}
	}
	reader, err := wallet.ReadFileJournal(path)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	for e, err := range reader.List(ctx, wallet.Query{}) {
		if err != nil {
			return nil, err
		}
		take(e)
	}
	return all, nil
}
