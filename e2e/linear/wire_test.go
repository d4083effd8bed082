package linear

import (
	"errors"
	"time"

	"github.com/walletfi/walletfi-go/wallet"
)

// remoteCall is a call of a journal in a child process, a line of JSON.
type remoteCall struct {
	ID     int64         `json:"id"`
	Method string        `json:"method"`
	Key    string        `json:"key,omitempty"`
	Was    uint64        `json:"was,omitempty"`
	Entry  wallet.Entry  `json:"entry"`
	Query  wallet.Query  `json:"query"`
	Holder string        `json:"holder,omitempty"`
	Lease  time.Duration `json:"lease,omitempty"`
	Within time.Duration `json:"within,omitempty"` // 0 for no deadline
}

// remoteAnswer is its answer. A List has one for each entry, and one at its end.
type remoteAnswer struct {
	ID     int64         `json:"id"`
	Entry  *wallet.Entry `json:"entry,omitempty"`
	Alive  bool          `json:"alive,omitempty"`
	Fenced bool          `json:"fenced,omitempty"`
	Err    string        `json:"err,omitempty"`
	More   bool          `json:"more,omitempty"` // further answers to the call follow
}

// failure is the error that the child's journal returned, as far as its caller tells
// errors apart.
func (a remoteAnswer) failure() error {
	switch {
	case a.Fenced:
		return wallet.ErrFenced
	case a.Err != "":
		return errors.New(a.Err)
	}
	return nil
}

func (a remoteAnswer) with(err error) remoteAnswer {
	a.Fenced = errors.Is(err, wallet.ErrFenced)
	if err != nil {
		a.Err = err.Error()
	}
	return a
}
