package burnclose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// unreachable is a client whose server fails the test when it is asked.
func unreachable(t *testing.T) *burnclose.Client {
	t.Helper()
	server := wiretest.Unasked(t)
	return client(t, server.URL)
}

func TestTermsRefused(t *testing.T) {
	c := unreachable(t)
	for name, row := range map[string]struct {
		terms burnclose.Terms
		want  []string
	}{
		"fee payer":               {burnclose.Terms{FeePayer: "x"}, []string{"feePayer"}},
		"partner account":         {burnclose.Terms{PartnerFeeAccount: "x", PartnerFeeBps: new(1)}, []string{"partnerFeeAccount"}},
		"partner without bps":     {burnclose.Terms{PartnerFeeAccount: partner}, []string{"partnerFeeBps"}},
		"bps without partner":     {burnclose.Terms{PartnerFeeBps: new(0)}, []string{"partnerFeeAccount"}},
		"bps below 0":             {burnclose.Terms{PartnerFeeAccount: partner, PartnerFeeBps: new(-1)}, []string{"partnerFeeBps"}},
		"bps above the most":      {burnclose.Terms{PartnerFeeAccount: partner, PartnerFeeBps: new(9801)}, []string{"partnerFeeBps"}},
		"code too short":          {burnclose.Terms{ReferralCode: "a"}, []string{"referralCode"}},
		"code too long":           {burnclose.Terms{ReferralCode: strings.Repeat("a", 21)}, []string{"referralCode"}},
		"code with upper case":    {burnclose.Terms{ReferralCode: "aB"}, []string{"referralCode"}},
		"code with a dash":        {burnclose.Terms{ReferralCode: "a-b"}, []string{"referralCode"}},
		"code with a letter of ü": {burnclose.Terms{ReferralCode: "aü"}, []string{"referralCode"}},
		"code beside a partner": {
			burnclose.Terms{ReferralCode: "ab", PartnerFeeAccount: partner, PartnerFeeBps: new(0)}, []string{"referralCode"},
		},
		"code beside half a partner": {
			burnclose.Terms{ReferralCode: "ab", PartnerFeeBps: new(5)}, []string{"partnerFeeAccount", "referralCode"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			burn := burnclose.BurnRequest{Owner: owner, AssetID: asset, Terms: row.terms}
			shut := burnclose.CloseRequest{Owner: owner, AssetID: asset, Terms: row.terms}
			all := burnclose.CloseAllRequest{Owner: owner, Terms: row.terms}
			for _, call := range []func() error{
				func() error { _, err := c.BuildBurn(t.Context(), burn); return err },
				func() error { _, err := c.PreviewBurn(t.Context(), burn); return err },
				func() error { _, err := c.BuildBurnInstructions(t.Context(), burn); return err },
				func() error { _, err := c.BuildClose(t.Context(), shut); return err },
				func() error { _, err := c.PreviewClose(t.Context(), shut); return err },
				func() error { _, err := c.BuildCloseInstructions(t.Context(), shut); return err },
				func() error { _, err := c.BuildCloseAll(t.Context(), all); return err },
				func() error { _, err := c.PreviewCloseAll(t.Context(), all); return err },
				func() error { _, err := c.SummarizeCloseAll(t.Context(), all); return err },
				func() error { _, err := c.BuildCloseAllInstructions(t.Context(), all); return err },
			} {
				wiretest.Refused(t, call(), row.want...)
			}
		})
	}
}

func TestTermsAllowed(t *testing.T) {
	server := answering(t, `{"fees":1}`)
	c := client(t, server.URL)
	for _, terms := range []burnclose.Terms{
		{},
		{PartnerFeeAccount: partner, PartnerFeeBps: new(9800)},
		{PartnerFeeAccount: partner, PartnerFeeBps: new(0)},
		{ReferralCode: "z9"},
		{ReferralCode: strings.Repeat("0", 20)},
	} {
		_, err := c.PreviewClose(t.Context(), burnclose.CloseRequest{Owner: owner, AssetID: asset, Terms: terms})
		require.NoError(t, err)
	}
	require.Len(t, server.Requests(), 5)
}

func TestRequestsRefused(t *testing.T) {
	c := unreachable(t)
	short := strings.Repeat("1", 31)
	wiretest.AllRefused(t, map[string]error{
		"burn without anything: assetId, userPublicKey": wiretest.Error(c.BuildBurn(t.Context(), burnclose.BurnRequest{})),
		"burn of 0: burnAmount": wiretest.Error(
			c.BuildBurn(t.Context(), burnclose.BurnRequest{Owner: owner, AssetID: asset, BurnAmount: new(walletfi.Amount(0))})),
		"close by 31 bytes: assetId, userPublicKey": wiretest.Error(
			c.BuildClose(t.Context(), burnclose.CloseRequest{Owner: short, AssetID: " "})),
		"close all below 0: limit, offset, userPublicKey": wiretest.Error(
			c.BuildCloseAll(t.Context(), burnclose.CloseAllRequest{Offset: new(-1), Limit: new(-1)})),
		"status without a signature: signature": wiretest.Error(
			c.GetTransactionStatus(t.Context(), burnclose.StatusRequest{})),
		"status of an address: signature": wiretest.Error(c.SignatureStatus(t.Context(), owner)),
		"wait: commitment, maxWait, minWait, signature": wiretest.Error(
			c.WaitConfirmed(t.Context(), burnclose.WaitRequest{Signature: "x", Commitment: "max", MinWait: -1, MaxWait: -1})),
		"key generation with no JSON: body": wiretest.Error(c.GenerateAPIKey(t.Context(), walletfi.Document("{"))),
		"a credential in a header: header":  wiretest.Error(c.GetHealth(t.Context(), walletfi.WithHeader("x-api-key", "x"))),
		"submit nothing: signedTransaction": wiretest.Error(c.Submit(t.Context(), walletfi.Signed{})),
	})
}

func TestRelayRefused(t *testing.T) {
	c := unreachable(t)
	for name, row := range map[string]struct {
		options burnclose.RelayOptions
		want    string
	}{
		"retries below 0":         {burnclose.RelayOptions{MaxRetries: new(-1)}, "maxRetries"},
		"retries above the most":  {burnclose.RelayOptions{MaxRetries: new(101)}, "maxRetries"},
		"preflight commitment":    {burnclose.RelayOptions{PreflightCommitment: "recent"}, "preflightCommitment"},
		"confirmation commitment": {burnclose.RelayOptions{ConfirmationCommitment: "Confirmed"}, "confirmationCommitment"},
		"timeout too short":       {burnclose.RelayOptions{ConfirmationTimeout: 999 * time.Millisecond}, "confirmationTimeoutMs"},
		"timeout too long":        {burnclose.RelayOptions{ConfirmationTimeout: 180001 * time.Millisecond}, "confirmationTimeoutMs"},
		"timeout below 0":         {burnclose.RelayOptions{ConfirmationTimeout: -time.Second}, "confirmationTimeoutMs"},
		"timeout in part of a ms": {burnclose.RelayOptions{ConfirmationTimeout: time.Second + 1}, "confirmationTimeoutMs"},
		"interval too short":      {burnclose.RelayOptions{PollInterval: 99 * time.Millisecond}, "pollIntervalMs"},
		"interval too long":       {burnclose.RelayOptions{PollInterval: 5001 * time.Millisecond}, "pollIntervalMs"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.SendTransaction(t.Context(), burnclose.SendRequest{Transaction: signed(1), RelayOptions: row.options})
			wiretest.Refused(t, err, row.want)
			_, err = c.SendBatch(t.Context(), burnclose.SendBatchRequest{
				Transactions: []walletfi.EncodedTransaction{signed(1)}, RelayOptions: row.options,
			})
			wiretest.Refused(t, err, row.want)
		})
	}
	for name, tx := range map[string]walletfi.EncodedTransaction{
		"nil": nil, "empty": walletfi.Base64Transaction(""), "empty base58": walletfi.Base58Transaction(""),
		"not base64": walletfi.Base64Transaction("AQI"), "not base58": walletfi.Base58Transaction("0"),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.SendTransaction(t.Context(), burnclose.SendRequest{Transaction: tx})
			wiretest.Refused(t, err, "signedTransaction")
			_, err = c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: []walletfi.EncodedTransaction{signed(1), tx}})
			wiretest.Refused(t, err, "signedTransactions[1]")
		})
	}
	for _, n := range []int{-1, 33} {
		_, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: []walletfi.EncodedTransaction{signed(1)}, MaxConcurrency: new(n)})
		wiretest.Refused(t, err, "maxConcurrency")
	}
	result, err := c.SendBatch(t.Context(), burnclose.SendBatchRequest{})
	wiretest.Refused(t, err, "signedTransactions")
	require.Nil(t, result, "nothing was sent")
}

func TestWithoutKey(t *testing.T) {
	server := wiretest.Unasked(t)
	c := keyless(t, server.URL)
	errs := []error{}
	_, err := c.BuildBurn(t.Context(), burnclose.BurnRequest{Owner: owner, AssetID: asset})
	errs = append(errs, err)
	_, err = c.PreviewClose(t.Context(), burnclose.CloseRequest{Owner: owner, AssetID: asset})
	errs = append(errs, err)
	_, err = c.SummarizeCloseAll(t.Context(), burnclose.CloseAllRequest{Owner: owner})
	errs = append(errs, err)
	_, err = c.Submit(t.Context(), walletfi.Signed{Transaction: signed(1)})
	errs = append(errs, err)
	_, err = c.SendBatch(t.Context(), burnclose.SendBatchRequest{Transactions: []walletfi.EncodedTransaction{signed(1)}})
	errs = append(errs, err)
	_, err = c.SignatureStatus(t.Context(), wiretest.Signature(1))
	errs = append(errs, err)
	for _, err := range errs {
		wiretest.Refused(t, err, "apiKey")
	}
}

func TestConfigRefused(t *testing.T) {
	good := burnclose.Config{BaseURL: "https://burn.test", APIKey: walletfi.NewSecret("k-123456")}
	wiretest.ConfigsRefused(t, burnclose.New, good, map[string]func(*burnclose.Config){
		"no base URL: baseURL":            func(c *burnclose.Config) { c.BaseURL = "" },
		"plain http: baseURL":             func(c *burnclose.Config) { c.BaseURL = "http://burn.test" },
		"key with line break: apiKey":     func(c *burnclose.Config) { c.APIKey = walletfi.NewSecret("k-1\r\nx: y") },
		"unknown auth header: authHeader": func(c *burnclose.Config) { c.AuthHeader = "both" },
	})
	c, err := burnclose.New(good)
	require.NoError(t, err)
	require.NotNil(t, c.Limiter(burnclose.ClassAll))

}
