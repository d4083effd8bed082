package signing

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// counting counts what it is asked to sign.
type counting struct {
	*LocalKey
	asked int
}

func (c *counting) Sign(ctx context.Context, message []byte) (Signature, error) {
	c.asked++
	return c.LocalKey.Sign(ctx, message)
}

// TestBeforeSigning: each way to sign asks first, with the report, and a no leaves nothing signed.
func TestBeforeSigning(t *testing.T) {
	s := ordinary(txbuild.Memo("x"))
	u, guard, no := set(txbuild.V0, s), NewGuard(s.policy), errors.New("no")
	_, report, err := guard.CheckSet(t.Context(), u)
	require.NoError(t, err)
	ways := map[string]func(Signer, Option) error{
		"set": func(k Signer, o Option) error {
			_, _, err := guard.SignSet(t.Context(), u, k, o)
			return err
		},
		"approved": func(k Signer, o Option) error {
			_, _, err := guard.SignApproved(t.Context(), u, report.Digest(), k, o)
			return err
		},
		"step": func(k Signer, o Option) error {
			_, _, err := guard.SignStep(t.Context(), u, Step{}, k, o)
			return err
		},
	}
	for name, sign := range ways {
		t.Run(name, func(t *testing.T) {
			key, told, answer := &counting{LocalKey: ownerKey}, 0, no
			before := BeforeSigning(func(_ context.Context, r *Report) error {
				told++
				require.Zero(t, key.asked)
				require.Equal(t, report.Digest(), r.Digest())
				return answer
			})
			require.ErrorIs(t, sign(key, before), no)
			require.Equal(t, [2]int{1, 0}, [2]int{told, key.asked})
			answer = nil
			require.NoError(t, sign(key, before))
			require.Equal(t, [2]int{2, 1}, [2]int{told, key.asked})
		})
	}
	never := BeforeSigning(func(context.Context, *Report) error { t.Error("asked"); return nil })
	_, _, err = guard.CheckSet(t.Context(), u, never)
	require.NoError(t, err, "a check does not sign")
	u.Intent = walletfi.Intent{Owner: "x"}
	_, _, err = guard.SignSet(t.Context(), u, ownerKey, never)
	require.Error(t, err, "what is refused is not asked for")
}
