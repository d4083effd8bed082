package wiretest

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"time"

	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// Fill sets every exported field under v, a pointer, to a random value that is not
// zero: two elements in a slice, one in a map. Of an interface it sets only
// walletfi.EncodedTransaction, and it leaves out a Raw that JSON leaves out: the
// service's bytes, which only a decoder sets.
func Fill(random *rand.Rand, v any) { fill(random, reflect.ValueOf(v).Elem(), 0) }

func fill(random *rand.Rand, v reflect.Value, depth int) {
	if !v.CanSet() || depth > 12 {
		return
	}
	if known(random, v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(fmt.Sprintf("t%d<&>é", random.Uint32()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(random.Int64N(100) + 1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(random.Uint64N(100) + 1)
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		v.SetUint(1<<63 + random.Uint64N(1<<62))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(random.Float64() + 1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(random, v.Elem(), depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(random, v.Index(i), depth+1)
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(random, v.Index(i), depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(random, key, depth+1)
		fill(random, value, depth+1)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && (f.Name != "Raw" || f.Tag.Get("json") != "-") {
				fill(random, v.Field(i), depth+1)
				bound(random, v.Field(i), wire.TagOf(f))
			}
		}
	}
}

// bound keeps a number, a key or a signature within what its tag declares.
func bound(random *rand.Rand, v reflect.Value, tag wire.Tag) {
	switch isText := v.Kind() == reflect.String; {
	case isText && tag.Key:
		v.SetString(Address(byte(random.Uint32())))
	case isText && !tag.Hex.IsZero():
		v.SetString(hexText(tag, byte(random.Uint32())))
	case isText && tag.Code:
		v.SetString(Address(byte(random.Uint32())))
	case isText && tag.Signature:
		v.SetString(Signature(byte(random.Uint32())))
	}
	if d, ok := v.Interface().(walletfi.Decimal); ok && !tag.Max.IsZero() && d.Cmp(tag.Max) > 0 {
		v.Set(reflect.ValueOf(walletfi.MustDecimal("0." + strconv.FormatUint(random.Uint64(), 10))))
	}
}

// known fills a value of a type that has a form of its own.
func known(random *rand.Rand, v reflect.Value) bool {
	switch p := v.Addr().Interface().(type) {
	case *walletfi.Decimal:
		*p = walletfi.MustDecimal("0." + strconv.FormatUint(random.Uint64(), 10)) // within all bounds
	case *walletfi.Time:
		p.Time = time.Unix(1<<30+random.Int64N(1<<30), 0).UTC() // after the first that an answer has
	case *time.Time:
		*p = time.Unix(random.Int64N(1<<31)+1, 0).UTC()
	case *walletfi.Slippage:
		*p = walletfi.SlippageBps(random.IntN(10_000))
	case *walletfi.Document:
		*p = walletfi.Document(fmt.Sprintf(`{"d":%d}`, random.Uint32()))
	case *walletfi.Base64Transaction:
		*p = walletfi.Base64Transaction(base64.StdEncoding.EncodeToString([]byte{byte(random.Uint32())}))
	case *walletfi.Base58Transaction:
		*p = walletfi.Base58Transaction(base58.Encode([]byte{byte(random.Uint32())}))
	case *walletfi.EncodedTransaction:
		*p = walletfi.Base64Transaction(base64.StdEncoding.EncodeToString([]byte{byte(random.Uint32())}))
	case *walletfi.Secret: // stays empty: it does not marshal
	default:
		return false
	}
	return true
}
