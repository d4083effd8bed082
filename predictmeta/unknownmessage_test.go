package predictmeta_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestUnknownMessageSurvivesJSON, whatever its bytes are.
func TestUnknownMessageSurvivesJSON(t *testing.T) {
	for name, raw := range map[string]walletfi.Document{
		"none": nil, "empty": {}, "json": walletfi.Document(`{"a": "<&>\u2028", "n":1e400}`), "no json": walletfi.Document("{\x00"), "no text": walletfi.Document("\xff{"),
	} {
		for _, err := range []error{nil, &walletfi.RecordError{Raw: raw, Err: errors.New("a number is missing")}} {
			was := predictmeta.UnknownMessage{Type: "melted", Raw: raw, Err: err}
			text, failed := json.Marshal(was)
			require.NoError(t, failed, name)
			var read predictmeta.UnknownMessage
			require.NoError(t, json.Unmarshal(text, &read), name)
			require.Equal(t, was.Type, read.Type)
			require.Equal(t, was.Raw, read.Raw, name)
			require.Equal(t, err == nil, read.Err == nil, name)
			if err != nil {
				require.EqualError(t, read.Err, err.Error())
				record, ok := errors.AsType[*walletfi.RecordError](read.Err)
				require.True(t, ok)
				require.Equal(t, raw, record.Raw)
				require.Equal(t, errors.Is(err, walletfi.ErrDecode), errors.Is(read.Err, walletfi.ErrDecode))
			}
			again, failed := json.Marshal(read)
			require.NoError(t, failed)
			require.Equal(t, string(text), string(again))
		}
	}
}
