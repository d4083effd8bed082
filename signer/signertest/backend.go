package signertest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
)

// Backend tests a key that is held elsewhere, such as by a key management service. fresh returns
// it, as the signer would get it. The signer verifies each signature before it leaves: with a
// backend that fails a test, debits are counted of what was never signed.
func Backend(t *testing.T, fresh func(t *testing.T) signing.Signer) {
	t.Run("signatures of messages of all lengths verify", func(t *testing.T) {
		key := fresh(t)
		for _, length := range []int{1, 32, 200, 1167, 1232, 4096} { // 1167 is the longest of a v0 transaction
			signed(t, key, message(length, length))
		}
	})
	// After a crash between debit and signature the signer knows a transaction by the
	// signature that it would make again.
	t.Run("a message is signed the same each time", func(t *testing.T) {
		key, m := fresh(t), message(300, 1)
		first, public := signed(t, key, m), key.PublicKey()
		signed(t, key, message(300, 2))
		assert.Equal(t, first, signed(t, key, m))
		assert.Equal(t, public, key.PublicKey())
	})
	t.Run("a message is left as it was", func(t *testing.T) {
		key, m := fresh(t), message(500, 3)
		signed(t, key, m)
		assert.Equal(t, message(500, 3), m)
	})
	t.Run("many ask at once", func(t *testing.T) { manyAtOnce(t, fresh(t)) })
	t.Run("it ends with its context", func(t *testing.T) { endsWithContext(t, fresh(t)) })
}

// message is one of a length, other than that of any other number.
func message(length, number int) []byte {
	return bytes.Repeat([]byte{byte(number), byte(number >> 8), 0x80}, length/3+1)[:length]
}

// signed signs a message and verifies that.
func signed(t *testing.T, key signing.Signer, m []byte) signing.Signature {
	t.Helper()
	was := slices.Clone(m)
	s, err := key.Sign(t.Context(), m)
	require.NoError(t, err)
	require.True(t, s.Verify(key.PublicKey(), was), "the signature of %d bytes does not verify", len(was))
	return s
}

func manyAtOnce(t *testing.T, key signing.Signer) {
	failed := make(chan error, 16)
	for i := range cap(failed) {
		go func() {
			m := message(400, i+10)
			s, err := key.Sign(t.Context(), m)
			if err == nil && !s.Verify(key.PublicKey(), m) {
				err = fmt.Errorf("message %d has the signature of another", i)
			}
			failed <- err
		}()
	}
	for range cap(failed) {
		assert.NoError(t, <-failed)
	}
}

func endsWithContext(t *testing.T, key signing.Signer) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m, good := message(100, 4), make(chan bool, 1)
	go func() {
		s, err := key.Sign(ctx, m)
		good <- err != nil || s.Verify(key.PublicKey(), m)
	}()
	select {
	case ok := <-good:
		assert.True(t, ok, "no error, and a signature that does not verify")
	case <-time.After(2 * time.Second):
		t.Error("it does not come back soon after the end of its context")
	}
	signed(t, key, m) // and serves whoever asks next
}
