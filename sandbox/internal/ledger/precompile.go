package ledger

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/binary"
	"math/big"

	"filippo.io/edwards25519"
	"golang.org/x/crypto/sha3"
)

// The errors of the programs that verify signatures.
var (
	errPublicKey    = Custom(0)
	errRecovery     = Custom(1)
	errBadSignature = Custom(2)
	errOffsets      = Custom(3)
	errDataSize     = Custom(4)
)

// verifySigned verifies the signatures that the data describes: their count, a header in all, and
// a description of some length each.
func (x *Invocation) verifySigned(header, most, length int, verify func(x *Invocation, at []byte)) {
	FailIf(len(x.Data) < header, errDataSize)
	n := int(x.Data[0])
	none := n == 0 && (len(x.Data) > header || x.Program == secp256r1Program)
	FailIf(none || n > most || len(x.Data) < header+n*length, errDataSize)
	for i := range n {
		verify(x, x.Data[header+i*length:][:length])
	}
}

// slice is a part of the data of one of the transaction's instructions.
func (x *Invocation) slice(instruction, start, n int, long *InstructionError) []byte {
	data := x.Data
	if instruction != 0xffff {
		FailIf(instruction >= len(x.tx.Instructions), errOffsets)
		data = x.tx.Instructions[instruction].Data
	}
	FailIf(start+n > len(data), long)
	return data[start : start+n]
}

// signed reads a description with offsets of two bytes: signature, public key, message.
func (x *Invocation) signed(at []byte, keySize int) (signature, key, message []byte) {
	n := func(i int) int { return int(binary.LittleEndian.Uint16(at[2*i:])) }
	signature = x.slice(n(1), n(0), 64, errOffsets)
	key = x.slice(n(3), n(2), keySize, errOffsets)
	return signature, key, x.slice(n(6), n(4), n(5), errOffsets)
}

func signedEd25519(x *Invocation, at []byte) {
	signature, key, message := x.signed(at, 32)
	point, err := new(edwards25519.Point).SetBytes(key)
	FailIf(err != nil, errPublicKey)
	// Strictly: neither the key nor the nonce may be of a small order.
	nonce, err := new(edwards25519.Point).SetBytes(signature[:32])
	small := func(p *edwards25519.Point) bool {
		return new(edwards25519.Point).MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) == 1
	}
	FailIf(err != nil || small(point) || small(nonce) || !ed25519.Verify(key, message, signature), errBadSignature)
}

func signedSecp256r1(x *Invocation, at []byte) {
	signature, key, message := x.signed(at, 33)
	curve := elliptic.P256()
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	order := curve.Params().N
	half := new(big.Int).Rsh(order, 1)
	FailIf(r.Sign() == 0 || s.Sign() == 0 || r.Cmp(order) >= 0 || s.Cmp(half) > 0, errBadSignature)
	px, py := elliptic.UnmarshalCompressed(curve, key)
	FailIf(px == nil, errPublicKey)
	whole := make([]byte, 65)
	whole[0] = 4
	px.FillBytes(whole[1:33])
	py.FillBytes(whole[33:])
	public, err := ecdsa.ParseUncompressedPublicKey(curve, whole)
	hash := sha256.Sum256(message)
	FailIf(err != nil || !ecdsa.Verify(public, hash[:], r, s), errBadSignature)
}

// signedSecp256k1 recovers the Ethereum address that signed and compares it.
func signedSecp256k1(x *Invocation, at []byte) {
	n := func(i int) int { return int(binary.LittleEndian.Uint16(at[i:])) }
	FailIf(int(at[2]) >= len(x.tx.Instructions), errDataSize)
	signature := x.slice(int(at[2]), n(0), 65, errBadSignature)
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:64])
	FailIf(r.Cmp(koblitz.N) >= 0 || s.Cmp(koblitz.N) >= 0, errBadSignature)
	FailIf(signature[64] > 3, errRecovery)
	address := x.slice(int(at[5]), n(3), 20, errBadSignature)
	message := x.slice(int(at[10]), n(6), n(8), errBadSignature)
	key, ok := recoverKey(keccak(message), r, s, signature[64])
	FailIf(!ok || string(keccak(key)[12:]) != string(address), errBadSignature)
}

func keccak(b []byte) []byte {
	h := sha3.NewLegacyKeccak256()
	h.Write(b)
	return h.Sum(nil)
}

// koblitz is secp256k1, y² = x³ + 7, of which the standard library has none.
var koblitz = func() elliptic.CurveParams {
	n := func(hex string) *big.Int { v, _ := new(big.Int).SetString(hex, 16); return v }
	return elliptic.CurveParams{
		P:  n("fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"),
		N:  n("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"),
		Gx: n("79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"),
		Gy: n("483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8"),
	}
}()

// recoverKey returns the public key, 64 bytes, that made a signature of a hash.
func recoverKey(hash []byte, r, s *big.Int, id byte) ([]byte, bool) {
	x := new(big.Int).Set(r)
	if id&2 != 0 {
		x.Add(x, koblitz.N)
	}
	y := new(big.Int).Exp(x, big.NewInt(3), koblitz.P)
	y.Add(y, big.NewInt(7))
	if r.Sign() == 0 || s.Sign() == 0 || x.Cmp(koblitz.P) >= 0 || y.ModSqrt(y, koblitz.P) == nil {
		return nil, false
	}
	if byte(y.Bit(0)) != id&1 {
		y.Sub(koblitz.P, y)
	}
	inverse := new(big.Int).ModInverse(r, koblitz.N)
	u := new(big.Int).Mul(new(big.Int).Neg(new(big.Int).SetBytes(hash)), inverse)
	v := new(big.Int).Mul(s, inverse)
	g := curvePoint{koblitz.Gx, koblitz.Gy}
	q := g.times(u.Mod(u, koblitz.N)).plus(curvePoint{x, y}.times(v.Mod(v, koblitz.N)))
	if q.x == nil {
		return nil, false
	}
	key := make([]byte, 64)
	q.x.FillBytes(key[:32])
	q.y.FillBytes(key[32:])
	return key, true
}

// curvePoint is a point of secp256k1, the one at infinity without coordinates.
type curvePoint struct{ x, y *big.Int }

func (p curvePoint) plus(q curvePoint) curvePoint {
	if p.x == nil {
		return q
	}
	if q.x == nil {
		return p
	}
	m := koblitz.P
	rise, run := new(big.Int).Sub(q.y, p.y), new(big.Int).Sub(q.x, p.x)
	if run.Sign() == 0 {
		if new(big.Int).Add(p.y, q.y).Cmp(m) == 0 {
			return curvePoint{}
		}
		rise.Mul(big.NewInt(3), rise.Mul(p.x, p.x))
		run.Lsh(p.y, 1)
	}
	slope := rise.Mul(rise, run.ModInverse(run.Mod(run, m), m))
	x := new(big.Int).Mul(slope, slope)
	x.Mod(x.Sub(x.Sub(x, p.x), q.x), m)
	y := new(big.Int).Sub(p.x, x)
	y.Mod(y.Sub(y.Mul(y, slope), p.y), m)
	return curvePoint{x, y}
}

func (p curvePoint) times(n *big.Int) (sum curvePoint) {
	for i := n.BitLen() - 1; i >= 0; i-- {
		sum = sum.plus(sum)
		if n.Bit(i) == 1 {
			sum = sum.plus(p)
		}
	}
	return sum
}
