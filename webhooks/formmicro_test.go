package webhooks_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestFormOfMicroseconds: the service writes microseconds, which the verifier takes. What was recorded half a
// year ago is given again, cut as a time in seconds. The reader has seen the service's form a hundred times.
func TestFormOfMicroseconds(t *testing.T) {
	const signedAt, replayedAt = int64(1764371780000000), int64(1780000000) // the end of the first is the second
	signature := formSignature("9f3c" + strconv.FormatInt(signedAt, 10) + formBody)
	now := time.UnixMicro(signedAt)
	reader, err := webhooks.NewDeliveryReader(webhooks.Verifier{
		Secrets: []walletfi.Secret{walletfi.NewSecret(formSecret)}, Now: func() time.Time { return now },
	}, nil)
	require.NoError(t, err)
	read := func(nonce, timestamp, signature string) error {
		_, err := reader.Read(formed(nonce, timestamp, signature), strings.NewReader(formBody))
		return err
	}
	require.NoError(t, read("9f3c", strconv.FormatInt(signedAt, 10), signature))
	for n := range 100 {
		now = time.Unix(replayedAt-100+int64(n), 123456000)
		nonce, timestamp := "9f3c"+strconv.Itoa(n)+"x", strconv.FormatInt(now.UnixMicro(), 10)
		require.NoError(t, read(nonce, timestamp, formSignature(nonce+timestamp+formBody)))
	}
	require.Equal(t, "9f3c"+strconv.FormatInt(signedAt, 10), "9f3c176437"+strconv.FormatInt(replayedAt, 10))
	require.ErrorIs(t, read("9f3c176437", strconv.FormatInt(replayedAt, 10), signature), webhooks.ErrTimestamp)
}
