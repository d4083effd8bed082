package wallet_test

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/observing/recorded"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// panickingSigner panics in place of signing.
type panickingSigner struct{ signing.Signer }

func (panickingSigner) Sign(context.Context, []byte) (signing.Signature, error) { panic("signer") }

// TestPanicsEndWhatBegan: an execution that a signer's panic went through has ended, in a
// state that promises nothing, and its key is free.
func TestPanicsEndWhatBegan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := recorded.New(t)
		var good signing.Signer
		r := newRigWith(t, func(c *wallet.Config) {
			good, c.Signer, c.Observer = c.Signer, panickingSigner{c.Signer}, told
		})
		require.Panics(t, func() { _, _ = r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "k"}) })
		require.Empty(t, told.Open())
		executions := recorded.Ends[observe.Execution, observe.ExecutionEnd](told)
		require.Len(t, executions, 1)
		require.Equal(t, observe.ExecutionEnd{State: string(wallet.StateUnknown), Err: observing.ErrPanicked}, executions[0].End)
		guards := recorded.Ends[observe.Guard, observe.GuardEnd](told)
		require.Len(t, guards, 1)
		require.Equal(t, observing.ErrPanicked, guards[0].End.Err)
		signs := recorded.Ends[observe.Sign, observe.SignEnd](told)
		require.Len(t, signs, 1)
		require.Equal(t, observing.ErrPanicked, signs[0].End.Err)
		require.Zero(t, r.submissions())
		_, err := r.wallet.Execute(soon(t), r.pay(t, 1), wallet.ExecuteOptions{Key: "k", Signer: good})
		require.NoError(t, err, "nothing was signed, and the key can be used")
	})
}
