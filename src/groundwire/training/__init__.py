"""How the built-in checker is made: allowed data, minimal pairs, a resumable trainer, and the export to ONNX.

`python -m groundwire.training all --data DIR` reproduces it. Needs the extra `models`; nothing here is imported by the
product at run time.
"""
