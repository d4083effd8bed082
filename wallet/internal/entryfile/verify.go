package entryfile

import (
	"fmt"

	"github.com/walletfi/walletfi-go/wallet/internal/framelog"
)

// Report is the result of Verify.
type Report struct {
	framelog.Content
	Records, Open int
}

// Verify reads all of a file and holds it against its hashes and its index. Another
// process may have it open.
func Verify(cfg Config) (report Report, err error) {
	s := newStore(cfg, func(k framelog.Kept) (*kept, error) {
		all, err := openKept(k)
		if err != nil {
			return nil, err
		}
		return all, all.verify()
	})
	var file framelog.File
	if report.Content, file, err = framelog.Read(s.cfg.Config); err == nil {
		err = file.Close()
	}
	for _, r := range s.hot {
		if r.Open {
			report.Open++
		}
	}
	report.Records = len(s.hot) + len(s.cold.keys.places())
	return report, err
}

// verify holds the records against their chain and the index.
func (k *kept) verify() error {
	records := 0
	last, err := k.each(func(f keptFrame) error {
		records++
		indexed := k.keys.has(f.hashes[0], f.Place)
		for _, hash := range f.hashes[1:] {
			indexed = indexed && k.names.has(hash, f.Place)
		}
		if !indexed {
			return &framelog.DamageError{File: k.Name, At: f.Place, Problem: "the index lacks the record"}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if n := k.records; n != records || string(last.Hash) != string(k.end.Hash) {
		return last.Damage(fmt.Sprintf("the index, of %d records, does not follow these %d", n, records))
	}
	return nil
}
