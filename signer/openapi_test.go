package signer_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/grant"
	"github.com/walletfi/walletfi-go/signer/protocol"
)

// TestOpenAPI holds openapi.json against the code: every path, and every member of every
// body, in both directions, with the members that are always there.
func TestOpenAPI(t *testing.T) {
	text, err := os.ReadFile("protocol/openapi.json")
	require.NoError(t, err)
	var api struct {
		Info       struct{ Version string }
		Paths      map[string]map[string]json.RawMessage
		Components struct {
			Schemas map[string]struct {
				Required   []string
				Properties map[string]struct{ Type string }
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &api))
	assert.Equal(t, protocol.Version, api.Info.Version)
	var told []string
	for path, methods := range api.Paths {
		for method, operation := range methods {
			told = append(told, strings.ToUpper(method)+" "+path)
			assert.Contains(t, string(operation), protocol.Header)
		}
	}
	r := newRig(t, 1)
	assert.ElementsMatch(t, r.Routes(), told)
	bodies := map[string]reflect.Type{
		"Request": reflect.TypeFor[protocol.Request](), "Switch": reflect.TypeFor[protocol.Switch](),
		"Refusal": reflect.TypeFor[protocol.Refusal](), "Owner": reflect.TypeFor[protocol.Owner](),
		"NewOwner": reflect.TypeFor[protocol.NewOwner](),
		"Debit":    reflect.TypeFor[signer.Debit](), "Message": reflect.TypeFor[signer.Message](),
		"Trade": reflect.TypeFor[signer.Trade](), "Price": reflect.TypeFor[signer.Price](),
		"Decision": reflect.TypeFor[signer.Decision](), "Used": reflect.TypeFor[signer.Used](),
		"OpenMessage": reflect.TypeFor[signer.OpenMessage](), "Health": reflect.TypeFor[signer.Health](),
		"Entry": reflect.TypeFor[signer.Entry](), "NewGrant": reflect.TypeFor[protocol.NewGrant](),
		"GrantAnswer": reflect.TypeFor[protocol.Grant](), "Verdict": reflect.TypeFor[protocol.Verdict](),
		"Grant": reflect.TypeFor[grant.Grant](), "GrantAmount": reflect.TypeFor[grant.Amount](),
		"GrantFees": reflect.TypeFor[grant.Fees](), "GrantCall": reflect.TypeFor[grant.Call](),
	}
	require.Len(t, api.Components.Schemas, len(bodies))
	for name, body := range bodies {
		schema, ok := api.Components.Schemas[name]
		require.True(t, ok, name)
		var members, required []string
		for field := range body.Fields() {
			member, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.IsExported() {
				continue
			}
			members = append(members, member)
			if !strings.Contains(options, "omit") {
				required = append(required, member)
			}
			want := map[reflect.Kind]string{reflect.String: "string", reflect.Int: "integer", reflect.Int64: "integer",
				reflect.Bool: "boolean", reflect.Slice: "array"}[field.Type.Kind()]
			if slices.Contains(strings.Split(options, ","), "string") {
				want = "string"
			}
			if want != "" && field.Type != reflect.TypeFor[json.RawMessage]() {
				assert.Equal(t, want, schema.Properties[member].Type, "%s.%s", name, member)
			}
		}
		var listed []string
		for member := range schema.Properties {
			listed = append(listed, member)
		}
		assert.ElementsMatch(t, members, listed, name)
		assert.ElementsMatch(t, required, schema.Required, name)
	}
}
