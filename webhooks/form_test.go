package webhooks_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/webhooks"
)

const formSecret, formBody = "whsec_forms", `{"webhookId":"wh_1","network":"SOLANA_MAINNET","timestamp":1,"slot":1,"transactions":[]}`

func formed(nonce, timestamp, signature string) http.Header {
	return http.Header{
		webhooks.HeaderNonce: {nonce}, webhooks.HeaderTimestamp: {timestamp}, webhooks.HeaderSignature: {signature},
	}
}

func formSignature(text string) string {
	mac := hmac.New(sha256.New, []byte(formSecret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// recut has a signed text, and how it reads cut elsewhere, much later.
type recut struct {
	nonce, timestamp       string // as the service wrote them
	laterNonce, laterStamp string // the same text
	later                  time.Time
}

// recuts has a delivery in seconds that reads as milliseconds 50 days later, and one in
// milliseconds that reads as seconds 27 days later, for each of the years' such hours.
func recuts() (all []recut) {
	for _, end := range []string{"176", "177", "178", "179", "180", "181"} {
		number, _ := time.ParseDuration(end + "0000000s") // as milliseconds: end and ten zeros
		meet := time.Unix(int64(number.Seconds())*1000/999, 0)
		signed := meet.Add(-50 * 24 * time.Hour)
		stamp := webhooksSeconds(signed)
		later, _ := time.ParseDuration(end + stamp + "ms")
		all = append(all, recut{"9f3c" + end, stamp, "9f3c", end + stamp, time.UnixMilli(later.Milliseconds())})

		at := meet.Add(27 * 24 * time.Hour)
		all = append(all, recut{"9f3c", end + webhooksSeconds(at), "9f3c" + end, webhooksSeconds(at), at})
	}
	return all
}

func webhooksSeconds(at time.Time) string {
	request := webhooks.DeliverySigner{Secret: walletfi.NewSecret(formSecret)}.RequestAt("https://example.com", nil, at)
	return request.Header.Get(webhooks.HeaderTimestamp)
}

// TestFormsOfTimestamps: what was recorded is not taken months later as a delivery in another form, if the
// form is known, and the service's own deliveries are taken in each form.
func TestFormsOfTimestamps(t *testing.T) {
	taken := 0
	for _, c := range recuts() {
		require.Equal(t, c.nonce+c.timestamp, c.laterNonce+c.laterStamp)
		now := c.later
		verifier := webhooks.Verifier{
			Secrets: []walletfi.Secret{walletfi.NewSecret(formSecret)}, Now: func() time.Time { return now },
		}
		form, other := webhooks.TimestampSeconds, webhooks.TimestampMilliseconds
		if len(c.timestamp) > len(c.laterStamp) {
			form, other = other, form
		}
		again := formed(c.laterNonce, c.laterStamp, formSignature(c.nonce+c.timestamp+formBody))
		if _, err := verifier.Verify(again, strings.NewReader(formBody)); err == nil {
			taken++ // nothing tells it from one of the service's
		}
		verifier.Forms = []webhooks.TimestampForm{form}
		_, err := verifier.Verify(again, strings.NewReader(formBody))
		require.ErrorIs(t, err, webhooks.ErrTimestamp)

		verifier.Forms = nil
		reader, err := webhooks.NewDeliveryReader(verifier, nil)
		require.NoError(t, err)
		own := func(form webhooks.TimestampForm) error {
			signer := webhooks.DeliverySigner{Secret: walletfi.NewSecret(formSecret), Timestamp: form}
			_, err := reader.Read(signer.RequestAt("https://example.com", []byte(formBody), now).Header, strings.NewReader(formBody))
			return err
		}
		for range 100 { // one in some thousand says nothing of the form
			require.NoError(t, own(form))
		}
		_, err = reader.Read(again, strings.NewReader(formBody))
		require.ErrorIs(t, err, webhooks.ErrTimestamp, "%s|%s", c.laterNonce, c.laterStamp)
		for range 100 {
			if err = own(other); err == nil {
				break
			}
		}
		if other == webhooks.TimestampSeconds { // the end of a nonce seldom reads as the beginning of a time
			require.NoError(t, err, "the service may change its form")
		}
	}
	require.Equal(t, 12, taken, "each of them has a right signature, and a time of now")
}

// TestFormsAreChecked: an unknown form is named before anything is read.
func TestFormsAreChecked(t *testing.T) {
	verifier := webhooks.Verifier{Secrets: []walletfi.Secret{walletfi.NewSecret("s")}, Forms: []webhooks.TimestampForm{9}}
	_, err := verifier.Verify(http.Header{}, strings.NewReader("{}"))
	require.ErrorContains(t, err, "verifier.forms")
	_, err = webhooks.NewDeliveryReader(verifier, nil)
	require.ErrorContains(t, err, "verifier.forms")
}
