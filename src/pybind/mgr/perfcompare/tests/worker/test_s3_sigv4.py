"""Signatures against the examples that AWS publishes."""

from typing import Dict, Tuple

import pytest

from perfcompare.worker.loads.s3 import extras, sigv4

ACCESS = 'AKIAIOSFODNN7EXAMPLE'
SECRET = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
HOST = 'examplebucket.s3.amazonaws.com'
EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
WELCOME = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'

# method, path, query, further headers, payload hash, signature: the four
# examples of "Authenticating Requests: Using the Authorization Header"
S3_EXAMPLES: Tuple[Tuple[str, str, str, Dict[str, str], str, str], ...] = (
    (
        'GET',
        '/test.txt',
        '',
        {'Range': 'bytes=0-9'},
        EMPTY,
        'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ),
    (
        'PUT',
        '/test%24file.text',
        '',
        {
            'Date': 'Fri, 24 May 2013 00:00:00 GMT',
            'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        },
        WELCOME,
        '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ),
    (
        'GET',
        '/',
        'lifecycle=',
        {},
        EMPTY,
        'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ),
    (
        'GET',
        '/',
        'max-keys=2&prefix=J',
        {},
        EMPTY,
        '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ),
)


@pytest.mark.parametrize('example', S3_EXAMPLES)
def test_examples_of_the_s3_manual(
    example: Tuple[str, str, str, Dict[str, str], str, str],
) -> None:
    method, path, query, headers, payload, signature = example
    found = sigv4.authorization(
        ACCESS,
        SECRET,
        'us-east-1',
        's3',
        method,
        path,
        query,
        {
            'Host': HOST,
            'x-amz-content-sha256': payload,
            'x-amz-date': '20130524T000000Z',
            **headers,
        },
        payload,
    )
    assert found.endswith(f'Signature={signature}')
    assert f'Credential={ACCESS}/20130524/us-east-1/s3/aws4_request' in found


def test_vanilla_of_the_test_suite() -> None:
    found = sigv4.authorization(
        'AKIDEXAMPLE',
        'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
        'us-east-1',
        'service',
        'GET',
        '/',
        '',
        {'Host': 'example.amazonaws.com', 'X-Amz-Date': '20150830T123600Z'},
        EMPTY,
    )
    assert found.endswith(
        'SignedHeaders=host;x-amz-date, Signature='
        '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'
    )


@pytest.mark.parametrize('method', [b'PUT', b'GET', b'HEAD', b'DELETE'])
@pytest.mark.parametrize('payload', [sigv4.UNSIGNED, sigv4.EMPTY])
def test_the_fast_signer_agrees_with_the_method(
    method: bytes, payload: bytes
) -> None:
    signer = sigv4.Signer(ACCESS, SECRET, 'eu-x', '[::1]:8000')
    for now in (1700000000.0, 1700000000.9, 1700086400.5):
        signer.tick(now)
        head = signer.head(
            method, b'/b/a%20b', payload, b'Content-Length: 3\r\n'
        )
        assert head.endswith(b'\r\nContent-Length: 3\r\n\r\n')
        lines = head.decode().split('\r\n')
        headers = dict(line.split(': ', 1) for line in lines[1:-2])
        assert lines[0] == f'{method.decode()} /b/a%20b HTTP/1.1'
        signed = {
            k: headers[k]
            for k in ('Host', 'x-amz-content-sha256', 'x-amz-date')
        }
        assert headers['Authorization'] == sigv4.authorization(
            ACCESS,
            SECRET,
            'eu-x',
            's3',
            method.decode(),
            '/b/a%20b',
            '',
            signed,
            payload.decode(),
        )


@pytest.mark.parametrize('payload', [sigv4.UNSIGNED, sigv4.EMPTY])
def test_extras_are_signed(payload: bytes) -> None:
    more = extras.extras('sse-c', 2, 1)
    signer = sigv4.Signer(ACCESS, SECRET, 'eu-x', 'h:1', more)
    signer.tick(1700000000.0)
    head = signer.head(b'PUT', b'/b/a', payload, b'')
    lines = head.decode().split('\r\n')
    headers = dict(line.split(': ', 1) for line in lines[1:-2])
    said = headers.pop('Authorization')
    assert set(headers) == {
        'Host', 'x-amz-content-sha256', 'x-amz-date',
        *more.client('reads' if payload == sigv4.EMPTY else 'writes'),
    }  # fmt: skip
    assert said == sigv4.authorization(
        ACCESS, SECRET, 'eu-x', 's3', 'PUT', '/b/a', '', headers,
        payload.decode(),
    )  # fmt: skip


def test_names_are_encoded() -> None:
    assert sigv4.encode_path('/b/a b+ü?#%~') == '/b/a%20b%2B%C3%BC%3F%23%25~'
    assert sigv4.query_string([('b', ' '), ('a', '/')]) == 'a=%2F&b=%20'
