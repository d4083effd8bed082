package sandbox_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox"
)

// openAPI has all that the test reads of the file.
type openAPI struct {
	OpenAPI string
	Servers []struct{ URL string }
	Paths   map[string]map[string]struct {
		OperationID string
		Summary     string
		Parameters  []struct {
			Name   string
			Schema schema
		}
		RequestBody struct {
			Content map[string]struct{ Schema schema }
		}
		Responses map[string]struct {
			Content map[string]struct{ Schema schema }
		}
	}
	Components struct{ Schemas map[string]schema }
}

type schema struct {
	Ref                   string `json:"$ref"`
	Type, Format, Pattern string
	Properties            map[string]schema
	Items                 *schema
	AdditionalProperties  json.RawMessage
	Required              []string
	Description           string
}

// sample is a value that a schema allows.
func (d openAPI) sample(t *testing.T, s schema) any {
	switch {
	case s.Ref != "":
		named, ok := d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
		require.True(t, ok, s.Ref)
		return d.sample(t, named)
	case s.Format == "date-time":
		return "2026-01-03T00:00:00Z"
	case s.Format == "byte":
		return "AQID"
	case s.Pattern != "":
		return "18446744073709551615"
	case s.Type == "string":
		return "x"
	case s.Type == "boolean":
		return false
	case s.Type == "integer", s.Type == "number":
		return 1
	case s.Type == "array":
		return []any{d.sample(t, *s.Items)}
	case s.Type == "object" && s.Properties == nil:
		var of schema
		require.NoError(t, json.Unmarshal(s.AdditionalProperties, &of))
		return map[string]any{"x": d.sample(t, of)}
	case s.Type == "object":
		object := map[string]any{}
		for name, p := range s.Properties {
			object[name] = d.sample(t, p)
		}
		return object
	}
	return map[string]any{}
}

// TestControlOpenAPI calls every route of the served file with arguments that are
// made from the file alone: each is read, and each answer has the members that
// the file says.
func TestControlOpenAPI(t *testing.T) {
	p := openPort(t, sandbox.Config{ManualClock: true})
	status, _, raw := p.request("GET", "/openapi.json", "", func(r *http.Request) { r.Header.Del("Authorization") })
	require.Equal(t, 200, status)
	require.NotContains(t, raw, p.APIKey(sandbox.Control))
	var d openAPI
	require.NoError(t, json.Unmarshal([]byte(raw), &d))
	assert.Equal(t, "3.0.3", d.OpenAPI)
	assert.Equal(t, p.URL(sandbox.Control), d.Servers[0].URL)
	ids, answered, refused := map[string]bool{}, 0, 0
	for path, methods := range d.Paths {
		require.Len(t, methods, 1)
		for method, op := range methods {
			assert.False(t, ids[op.OperationID], op.OperationID)
			ids[op.OperationID] = true
			assert.NotEmpty(t, op.Summary, path)
			if path == "/close" {
				continue
			}
			query, body := url.Values{}, ""
			for _, parameter := range op.Parameters {
				text, isText := d.sample(t, parameter.Schema).(string)
				if !isText {
					text = "1"
				}
				query.Set(parameter.Name, text)
			}
			at := path
			if len(query) > 0 {
				at += "?" + query.Encode()
			}
			if content, ok := op.RequestBody.Content["application/json"]; ok {
				made, err := json.Marshal(d.sample(t, content.Schema))
				require.NoError(t, err)
				body = string(made)
			}
			status, _, raw := p.request(strings.ToUpper(method), at, body, nil)
			if status == 422 {
				refused++ // x is no address, and so on
				continue
			}
			require.Equal(t, 200, status, "%s %s: %s", at, body, raw)
			answered++
			var answer map[string]any
			require.NoError(t, json.Unmarshal([]byte(raw), &answer))
			for name := range op.Responses["200"].Content["application/json"].Schema.Properties {
				assert.Contains(t, answer, name, path)
			}
		}
	}
	assert.Greater(t, len(d.Paths), 70)
	assert.Greater(t, answered, 55, "answered %d, refused %d", answered, refused)
	t.Logf("%d routes: %d answered, %d refused what was made up", len(d.Paths), answered, refused)
}
